import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vacant } from '../../cli/support/deserted.ts';
import { startProcess } from '../../support/cli-process.ts';
import { type Reply, startSandbox } from '../../support/sandbox.ts';
import { type ScenarioRequest, sendExamples, sendRefusals, UNAVAILABLE } from '../scenario.ts';
import { TOOLS } from './nodes.js';
import { documentFile } from './run.ts';

interface Violation {
  readonly location: readonly string[];
  readonly severity: string;
  readonly message: string;
}

/** Sends requests to a new sandbox through a Prism proxy, and collects the violations that Prism reports. */
async function throughPrism() {
  const { origin } = await startSandbox({ fixtures: ['starter'] }, { transport: UNAVAILABLE });
  const { port } = new URL(await vacant());
  const prism = join(TOOLS, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const document = await documentFile('partner', 'json');
  const args = [prism, 'proxy', document, `${origin}/v1`, '--no-cors', '--host', '127.0.0.1', '--port', port];
  const proxy = startProcess(process.execPath, args);
  await proxy.printed(/Prism is listening/);
  const found: { request: string; status: number; violation: Violation }[] = [];
  let checked = 0;
  const send = async ({ plane, method, path, headers, body }: ScenarioRequest): Promise<Reply> => {
    const base = plane === 'partner' ? `http://127.0.0.1:${port}` : `${origin}/_sandbox`;
    const response = await fetch(base + path, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    const violations: Violation[] = JSON.parse(response.headers.get('sl-violations') ?? '[]');
    for (const violation of violations) {
      found.push({ request: `${method} ${path}`, status: response.status, violation });
    }
    if (plane === 'partner') checked += 1;
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
  const from = (side: 'request' | 'response') =>
    found.filter(({ violation }) => violation.location[0] === side);
  return { send, from, checked: () => checked };
}

test('Prism reports no violation in the example run, except in requests that are refused', async () => {
  const { send, from, checked } = await throughPrism();
  await sendExamples(send);
  expect(checked()).toBeGreaterThan(30);
  expect(from('response')).toEqual([]);
  expect(from('request').filter(({ status }) => status < 300)).toEqual([]);
});

test('Prism reports violations in invalid requests, and none in their refusals', async () => {
  const { send, from, checked } = await throughPrism();
  await sendRefusals(send);
  expect(checked()).toBeGreaterThan(100);
  expect(from('response')).toEqual([]);
  expect(from('request').length).toBeGreaterThan(50);
});
