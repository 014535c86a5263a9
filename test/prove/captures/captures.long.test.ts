import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProfile } from '../../../src/sandbox/profile.ts';
import type { CaptureLine } from '../../../src/tools/evidence.ts';
import { recordResult } from '../../support/proof/proof-size.ts';
import { ACME_KEY, type Json, startSandbox } from '../../support/sandbox.ts';
import { parseCapture, type Replayed, replay } from './replay.ts';

/** Captures with the suffix .jsonl, each with the profile of its service beside it. */
const FOLDER = import.meta.dirname;
const CAPTURES = readdirSync(FOLDER)
  .filter(file => file.endsWith('.jsonl'))
  .map(file => file.slice(0, -'.jsonl'.length));

const capture = (name: string) => parseCapture(readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8'));

/** The present version with settings, at the start of its clock. */
async function present(
  lines: readonly CaptureLine[],
  assume: Readonly<Record<string, unknown>> | undefined,
): Promise<Replayed> {
  const { api, control } = await startSandbox({
    fixtures: ['starter'],
    kycDelay: '0s',
    allowHttpWebhooks: lines.some(takesHttp),
    // The settings of a profile have been checked.
    assume: { ...(assume as Json) },
  });
  return {
    async pass(ms) {
      if (ms > 0) await control('POST', '/clock/advance', { duration: `${ms}ms` });
    },
    async send(method, path, { key, headers, body }) {
      const own = { 'x-sandbox-names': 'neutral', ...(key && { 'x-service-api-key': ACME_KEY }) };
      // A header that is undefined is the key of the test sandbox.
      const noKey = key || 'x-service-api-key' in headers ? {} : { 'x-service-api-key': '' };
      const reply = await api(method, path, body, { ...noKey, ...own, ...headers });
      const id = reply.headers.get('x-sandbox-request');
      const entry = reply.status < 400 || id === null ? null : await control('GET', `/requests/${id}`);
      const rule = entry?.body.rule;
      return { status: reply.status, body: reply.body, rule: rule ? (rule.id ?? rule.section ?? '') : null };
    },
  };
}

/** Whether a line shows that the service takes a webhook URL with http. */
function takesHttp({ request, response }: CaptureLine): boolean {
  const { webhookUrl }: Json = request.body ?? {};
  return response.status === 200 && String(webhookUrl).startsWith('http:');
}

test.for(CAPTURES)(
  'this version answers as the service did whose capture %s is kept',
  async (name, context) => {
    const { lines } = capture(name);
    const { assume } = readProfile(join(FOLDER, `${name}.yaml`));
    const { played, skipped, differences } = await replay(lines, await present(lines, assume));
    recordResult(context, `${played} requests, ${skipped} skipped`);
    expect(differences).toEqual([]);
    expect(played).toBeGreaterThan(100);
  },
);

test('without its profile, a capture shows where the sandbox differs: status, shape and rule', async () => {
  const { lines } = capture('other-service');
  const { differences } = await replay(lines, await present(lines, {}));
  const texts = differences.join('\n');
  expect(texts).toMatch(/the service answered 422, this version 400 \(rule: invalid-input\)/);
  expect(texts).toMatch(/body\.webhookUrl is new/);
});
