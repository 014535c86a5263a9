import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VERSION } from '../../../../src/core/operation/version.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { exec, execScript, FILES, folder, INDEX, linesOf } from './run-exec.ts';

test('a failure leaves a record of the world, the log and a summary', async () => {
  const dir = await folder();
  const { code, stderr } = await exec(5, ['--artifacts', dir]);
  expect(code).toBe(5);
  expect((await readdir(dir)).toSorted()).toEqual(FILES);
  const [header, ...lines] = await linesOf(dir, 'main');
  expect(header).toMatchObject({ record: 1, cardSandbox: VERSION, world: 'main' });
  const at = '2026-03-15T10:00:00.000Z';
  // What exec did to prepare the sandbox is not part of it.
  expect(lines).toMatchObject([
    {
      entry: {
        plane: 'partner',
        at,
        method: 'PATCH',
        path: '/v1/partner/webhooks/config',
        body: '{"webhookUrl":"http://127.0.0.1:1/","subscribedEvents":["balance.top_up"]}',
        status: 200,
      },
    },
    { entry: { path: '/v1/partner/cardholders/no|body', query: 'key=abc', status: 404 } },
    {
      entry: { plane: 'control', path: '/_sandbox/clock/advance', status: 400, body: '{"duration":"soon"}' },
    },
    { entry: { plane: 'control', path: '/_sandbox/balance/top-up', status: 200, body: '{"amount":5}' } },
    { attempt: { eventType: 'balance.top_up', status: null, cause: 'connection refused' } },
    { end: { at, entries: 4, attempts: 1 } },
  ]);
  for (const name of FILES) expect((await stat(join(dir, name))).mode & 0o077).toBe(0);
  const read = (name: string) => readFile(join(dir, name), 'utf8');
  for (const name of FILES.slice(1)) {
    expect(await read(name)).not.toMatch(/sk_test_acme|whsec_|(?<![.\d])[2-6]\d{15}/);
  }
  expect(await read('sandbox.log')).toMatch(
    /^200 PATCH .*\n404 GET .*\n.*no cardholder.*\n.*hint.*\n--- webhook balance\.top_up /,
  );
  const summary = await read('summary.md');
  expect(summary).toContain(
    `${process.execPath} exited with code 5. Requests: 2, webhooks: 1, worlds and sandboxes: 1.`,
  );
  expect(summary).toMatch(
    /^ {6}404 GET \/v1\/partner\/cardholders\/no\|body\?key=\*\*\* \(req_\w+\)\n {10}no cardholder with id "no\|body" \[assumption unknown-id\]\n/m,
  );
  expect(summary).toMatch(
    /^ {4}Refused calls of the control plane\n {6}400 POST \/_sandbox\/clock\/advance \(ent_\w+\)\n {10}body\.duration: must be .*\n/m,
  );
  expect(summary).toMatch(
    /^ {6}undelivered balance\.top_up \(evt_\w+\)\n {10}2026-03-15T10:00:00\.000Z http:\/\/127\.0\.0\.1:1\/: connection refused; \d+ ms\n/m,
  );
  const commands = `npx card-sandbox@${VERSION} run ${dir}\nnpx card-sandbox@${VERSION} open ${join(dir, FILES[0] ?? '')}\n`;
  expect(summary).toContain(commands);
  expect(stderr).toMatch(new RegExp(`saved 3 files to ${dir}\n${commands}$`));
  expect(await runInProcess(['run', dir])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('main: reproduced: 4 of 4 responses are the same\n'),
  });
});

test('faults with times that never struck are named, those of webhooks too, and others are not', async () => {
  const { stderr } = await execScript(
    `const { connect } = await import(process.env.INDEX);
    const sandbox = await connect();
    await sandbox.faults.add({ path: '/partner/balance', status: 503, times: 1 });
    await sandbox.faults.add({ path: '/partner/cards', status: 500, times: 1 });
    await sandbox.faults.add({ path: '/partner/cardholders', status: 500 });
    for (const times of [1, 2]) await sandbox.webhookFaults.add({ kind: 'bad_signature', times });
    await sandbox.webhooks.forward({ url: 'http://127.0.0.1:1/' });
    await sandbox.simulate.topUp({ amount: 5 });
    await sandbox.webhooks.settle();
    await sandbox.api.balance.get().catch(() => undefined);
    process.exit(4);`,
    // No retry of the webhook falls due.
    ['--freeze'],
    { INDEX },
  );
  const [, told = ''] = stderr.split('Faults that never struck\n');
  expect(told).toMatch(
    /^ {2}not struck \{"path":"\/partner\/cards".*\(flt_\w+\)\n.*\n {2}not struck \{"kind":"bad_signature","times":2\}.*\n.*\n$/,
  );
});

test('a failure lists refused requests and undelivered webhooks on standard error and in the summary of the job', async () => {
  const file = await temporaryFile('summary.md');
  await writeFile(file, '# Job\n');
  const { code, stderr } = await exec(3, [], { GITHUB_STEP_SUMMARY: file });
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^Refused requests\n {2}404 GET \/v1\/partner\/cardholders\/no\|body\?key=\*\*\* \(req_\w+\)\n {6}no cardholder with id .*\nRefused calls of the control plane\n {2}400 POST \/_sandbox\/clock\/advance .*\n {6}body\.duration: .*\nUndelivered webhooks\n {2}undelivered balance\.top_up \(evt_\w+\)\n {6}2026-03-15T10:00:00\.000Z http:\S+: connection refused; \d+ ms\n$/,
  );
  expect(await readFile(file, 'utf8')).toMatch(
    /^# Job\n## card-sandbox\n[\s\S]* {4}Refused requests\n[\s\S]* {4}Undelivered webhooks\n/,
  );
});

test('a command that passes without a request to the sandbox keeps its code, and exec says that nothing was recorded', async () => {
  expect(await execScript('', [])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^Nothing was recorded: .*SERVICE_BASE_URL or CARD_SANDBOX_URL.*another host/,
    ),
  });
});

test('a record that cannot be read is an error and is kept, and nobody says that nothing was recorded', async () => {
  const dir = await folder();
  const { code, stderr } = await execScript(
    `(await import('node:fs')).writeFileSync(process.env.CARD_SANDBOX_RECORDS + '/odd.record.jsonl', '{}\\n'); process.exitCode = 4;`,
    ['--artifacts', dir],
  );
  expect(code).toBe(4);
  expect(stderr).toMatch(/^error: \S*odd\.record\.jsonl:1: record: /);
  expect(stderr).not.toContain('Nothing was recorded');
  expect(await readdir(dir)).toContain('odd.record.jsonl');
  const summary = await readFile(join(dir, 'summary.md'), 'utf8');
  expect(summary).toMatch(/^ {4}Something may be missing:\n {6}odd\.record\.jsonl:1: record: /m);
  expect(summary).not.toContain('Nothing was recorded');
});

test('a rewind to the oldest entry keeps what exec has set up, and the record is whole', async () => {
  const dir = await folder();
  const { code, stderr } = await execScript(
    `const { connect } = await import(process.env.INDEX);
    const sandbox = await connect();
    await sandbox.api.balance.get();
    await sandbox.api.cards.get('none').catch(() => undefined);
    const entries = await sandbox.history.list();
    await sandbox.history.rewind({ to: entries.at(-1).id });
    const config = await sandbox.api.webhooks.getConfig();
    await sandbox.api.cards.get('other').catch(() => undefined);
    process.exitCode = entries.length + (config.webhookSecret === null ? 10 : 0);`,
    ['--artifacts', dir],
    { INDEX },
  );
  expect([code, stderr]).toEqual([2, expect.not.stringContaining('error: ')]);
  expect(stderr).toMatch(
    /cards\/none .*\n.*\n {6}undone by a rewind;.*\n.*cards\/other .*\n {6}no card .*\n(?! {6})/,
  );
  expect(await runInProcess(['run', dir])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('main: reproduced: 4 of 4 responses are the same\n'),
  });
});

test('worlds with trouble come first, and of many findings the last are listed, each with its world', async () => {
  const dir = await folder();
  const { stderr } = await execScript(
    `const { connect } = await import(process.env.INDEX);
    const sandbox = await connect();
    await sandbox.api.balance.get();
    const world = await sandbox.worlds.create({ id: 'other' });
    for (let call = 1; call <= 22; call += 1) await world.api.cards.get('none_' + call).catch(() => undefined);
    process.exitCode = 4;`,
    ['--artifacts', dir],
    { INDEX },
  );
  expect(stderr).toMatch(
    /^Refused requests \(the last 20 of 22\)\n {2}404 GET \/v1\/partner\/cards\/none_3 \(req_\w+ in other\)\n/,
  );
  expect(stderr).toContain(`open ${join(dir, 'other.record.jsonl')}\n`);
  expect(await readFile(join(dir, 'summary.md'), 'utf8')).toContain(
    'Requests: 23, webhooks: 0, worlds and sandboxes: 2.',
  );
});

test('records that a killed process has cut short are named, and not counted', async () => {
  const { code, stderr } = await execScript(
    `const { createSandbox } = await import(process.env.INDEX);
    for (let sandbox = 1; sandbox <= 6; sandbox += 1) await createSandbox().api.balance.get();
    process.kill(process.pid, 'SIGKILL');`,
    ['--coverage'],
    { INDEX },
  );
  expect(code).toBe(137);
  const names = /in-process-[^,]*(?:, in-process-[^,]*){4} and 1 more/.source;
  expect(stderr).toMatch(RegExp(`^Cut short, because .*: ${names}\\.\nnot counted, .*: ${names}\n`));
});

test.each([
  [[], []],
  [
    ['--log-format', 'pretty'],
    ['200 PATCH', '404 GET'],
  ],
  [
    ['--log-format', 'json'],
    ['{"type":"request"', '{"type":"request"'],
  ],
  [['--json'], ['{"type":"request"', '{"type":"request"']],
])('with the flags %j exec shows requests as %j', async (flags, beginnings) => {
  const { stderr } = await exec(0, flags);
  const shown = stderr.match(/^(?:\d{3} [A-Z]+|\{"type":"request")/gm) ?? [];
  expect(shown).toEqual(beginnings);
});
