import { createHmac } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RandomStream } from '../../../src/core/values/random.ts';
import { temporaryFolder } from '../../sandbox/fixtures/fixture-files.ts';
import { runCli, startCli, startProcess } from '../../support/cli-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';

test('forged reveal link: without --seed, no signature can be computed, and no part of a link be changed', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const { ask, listening } = await startCli(['--rate-limit', '0', '--freeze']);
  const { body: cards } = await ask('GET', '/v1/partner/cards?status=active');
  const [card] = cards.data;
  const { body } = await ask('POST', `/v1/partner/cards/${card.id}/reveal-html`, {});
  const link = new URL(body.accessUrl);
  const expires = String(link.searchParams.get('expires'));
  const token = link.pathname.split('/').at(-1) ?? '';
  const statusOf = async (forgedToken: string, query: Record<string, string>) => {
    const url = `${listening.url}/reveal/${forgedToken}?${new URLSearchParams(query)}`;
    return (await fetch(url)).status;
  };
  const seeds = size(50, 1_000);
  const forged: number[] = [];
  for (let seed = 0; seed < seeds; seed++) {
    for (const at of [expires, String(Number(expires) + 60)]) {
      const key = new RandomStream(seed, 'reveal-signature').letters(52);
      const signature = createHmac('sha256', key).update(`${token}.${at}`).digest('hex');
      forged.push(await statusOf(token, { expires: at, signature }));
    }
  }
  const signature = String(link.searchParams.get('signature'));
  for (let index = 0; index < signature.length; index++) {
    const altered = (Number.parseInt(signature[index] ?? '0', 16) ^ 1).toString(16);
    forged.push(
      await statusOf(token, {
        expires,
        signature: signature.slice(0, index) + altered + signature.slice(index + 1),
      }),
    );
  }
  forged.push(await statusOf(token, { expires: String(Number(expires) + 1), signature }));
  forged.push(await statusOf(`${token}x`, { expires, signature }));
  forged.push(await statusOf(token, { expires }));
  expect(new Set(forged)).toEqual(new Set([403]));
  expect(await statusOf(token, { expires, signature })).toBe(200);
  recordResult(context, `${seeds} seeds, ${forged.length} forged links, ${forged.length} responses with 403`);
});

/** Secrets that run a command where a shell does not read them as one literal text. `FILE` is what they create. */
const INJECTIONS = [
  "it's `touch FILE` inside",
  "'; touch FILE; echo '",
  "' \n touch FILE \n '",
  '"; touch FILE; echo "',
  '$(touch FILE) and more text',
  "$(touch FILE)' and more text",
  '\'`touch FILE`$(touch FILE)"',
  '$X `touch FILE` $(touch FILE)',
  "\\'; touch FILE; echo \\'",
  "# no comment' ; touch FILE #",
];

test('dotenv injection: no webhook secret runs a command when a shell reads the file', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const { ask, listening } = await startCli();
  const folder = temporaryFolder();
  const created = join(folder, 'created');
  let read = 0;
  for (const injection of INJECTIONS) {
    const webhookSecret = injection.replaceAll('FILE', created).padEnd(16, '.');
    const config = { webhookUrl: 'https://hooks.example/', webhookSecret };
    expect((await ask('PATCH', '/v1/partner/webhooks/config', config)).status).toBe(200);
    const { code, stdout, stderr } = await runCli(['env', '--format', 'dotenv', '--url', listening.url]);
    // A value that the format cannot hold is refused with a reason.
    if (code !== 0) {
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/SERVICE_WEBHOOK_SECRET/)]);
      continue;
    }
    const file = join(folder, '.env');
    writeFileSync(file, stdout);
    const script = `set -a; . ${file}; exec ${process.execPath} -p process.env.SERVICE_WEBHOOK_SECRET`;
    const shell = startProcess('sh', ['-c', script]);
    await shell.ended;
    expect([injection, existsSync(created)]).toEqual([injection, false]);
    expect(shell.stdout()).toBe(`${webhookSecret}\n`);
    read += 1;
  }
  recordResult(
    context,
    `${INJECTIONS.length} secrets, ${read} read back unchanged, the others refused, 0 commands run`,
  );
});
