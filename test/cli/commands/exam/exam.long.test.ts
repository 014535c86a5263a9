import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLI_PROGRAM, startProcess } from '../../../support/cli-process.ts';
import { isRunning } from '../../support/is-running.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { appCommand, CLIENT, exam, PACKAGE, program, receiving, verdictsOf } from './run-exam.ts';

const APP = appCommand('onboarding');

test('two misbehaviours that break the command only together are found, kept as records, and tried as named', async () => {
  const folder = await temporaryFile('records');
  const junit = await temporaryFile('exam.xml');
  const flags = ['--artifacts', folder, '--junit', junit];
  const { report, found } = await exam(flags, APP, { BUGS: 'one-trouble' });
  const pairs = report.results.filter(({ together }) => together !== undefined);
  expect(found).toEqual(pairs.map(({ id }) => `broke ${id}`));
  const names = new Set(pairs.map(({ together = [] }) => together.join('+')));
  expect(pairs.length).toBeGreaterThanOrEqual(2);
  expect((await readdir(folder)).toSorted()).toEqual([...names].toSorted());
  const [name = ''] = names;
  expect(pairs[0]?.detail).toMatch(
    /under .* and .* together, and passes under each alone\nthe command printed:/,
  );
  expect((await readdir(join(folder, name))).join()).toBe('main.record.jsonl');
  const xml = await readFile(junit, 'utf8');
  expect(xml).toContain(`tests="${report.results.length + 1}" failures="${found.length}" errors="0"`);
  expect(xml).toContain(`classname="exam.benign" name="${pairs[0]?.id}"`);
  const again = await exam(['--only', name], APP, { BUGS: 'one-trouble' });
  expect(again.found).toEqual(name.split('+').map(() => expect.stringMatching('^broke ')));
});

test('tests that fail for their own reasons say nothing about an app', async () => {
  // The first run, which is undisturbed, decides which name is expected.
  const FILE = await temporaryFile('name');
  const script = `${CLIENT}
    const { appendFileSync, readFileSync } = await import('node:fs');
    const id = await person();
    const { total } = await send('GET', '/cardholders');
    const { firstName } = await send('GET', '/cardholders/' + id);
    appendFileSync(process.env.FILE, firstName + '\\n');
    if (total !== 1) throw new Error('counts ' + total);
    if (firstName !== readFileSync(process.env.FILE, 'utf8').split('\\n')[0]) throw new Error('expects another name');`;
  const only = ['lists-longer-than-a-page', 'names-unusual', 'phone-number-null'];
  const { report } = await exam(['--only', ...only], program(script), { FILE });
  expect(verdictsOf(report)).toEqual(Object.fromEntries(only.map(id => [id, 'not-exercised'])));
  expect(report.results[0]?.detail).toContain('they count records');
});

test('a write that is lost although the command passes is a remark', async () => {
  const script = `${CLIENT}
    await send('POST', '/kyc-sessions', {}).catch(() => undefined);`;
  const { report, code } = await exam(['--only', 'error-503-before', 'error-503-after'], program(script));
  expect(code).toBe(0);
  expect(report.results.map(({ remarks }) => remarks)).toEqual([
    ['POST /v1/partner/kyc-sessions failed and was not sent again; the command passed without its effect'],
    undefined,
  ]);
});

test.each([
  ['closes the connection of', 'return request.socket.destroy();'],
  ['never answers', 'return;'],
])('a receiver that %s a forged webhook breaks, although the command passes', async (_, odd) => {
  const flags = ['--assume', 'webhook-timeout=500ms', '--only', 'signature-missing'];
  const { report, code } = await exam(flags, program(receiving(odd)));
  expect(verdictsOf(report)).toEqual({ 'signature-missing': 'broke' });
  expect(report.results[0]?.detail).toMatch(/^the receiver gave no response instead of a 4xx\n/);
  expect(code).toBe(1);
});

test('a receiver that closes the connection of a webhook of an unknown type breaks', async () => {
  const { report } = await exam(
    ['--only', 'webhook-type-unknown'],
    program(receiving('return request.socket.destroy();')),
  );
  expect(verdictsOf(report)).toEqual({ 'webhook-type-unknown': 'broke' });
});

test('a command that fails while its receiver leaves a forged webhook without a response is broken by it', async () => {
  const odd = 'return setTimeout(() => process.exit(1), 100);';
  const { report } = await exam(['--only', 'signature-missing'], program(receiving(odd)));
  expect(verdictsOf(report)).toEqual({ 'signature-missing': 'broke' });
});

test.runIf(process.platform === 'linux')(
  'a process that leaves the session of the command ends with each run',
  async () => {
    const file = await temporaryFile('pids');
    await writeFile(file, '');
    const untilLeft = 'while [ "$(ps -o sid= -p $!)" -ne $! ]; do :; done';
    const script = `setsid sleep 600 & echo $! >>'${file}'; ${untilLeft}`;
    await exam(['--only', 'error-500-before'], ['sh', '-c', script]);
    const pids = (await readFile(file, 'utf8')).trim().split('\n');
    for (const pid of pids) await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

test.runIf(process.platform === 'linux').each([
  ['of its sandbox', `${CLIENT} for (let n = 0; n < 250; n++) await send('GET', '/balance');`],
  [
    'in its process',
    `const sandbox = (await import('${PACKAGE}')).createSandbox({ rateLimit: 0 });
    for (let n = 0; n < 250; n++) await sandbox.api.balance.get();`,
  ],
])('a record %s that cannot be written on ends the exam without a verdict', async (_, script) => {
  const words = ['exam', '--json', '--rate-limit', '0', '--only', 'ids-long', '--', ...program(script)];
  const limited = ['-c', 'ulimit -f 120; exec "$@"', 'sh', process.execPath, CLI_PROGRAM, ...words];
  const running = startProcess('sh', limited);
  expect(await running.ended).toMatchObject({ code: 1 });
  expect(running.stdout()).toBe('');
  expect(running.stderr()).toMatch(
    /"a record of a run cannot be written or read, so that the run says nothing"/,
  );
});

test.each([
  ['applied-twice', '1'],
  // Another number in each run, undisturbed too.
  ['survived', '1 + Math.floor(Math.random() * 20)'],
])('a webhook that comes twice is %s when it issues %s card or cards', async (verdict, number) => {
  const script = `${CLIENT}
    const { createServer } = await import('node:http');
    const cardProgramId = await program();
    let handled = 0;
    const receiver = createServer(async (request, response) => {
      const { data } = JSON.parse(Buffer.concat(await request.toArray()));
      response.writeHead(204).end();
      const number = ${number};
      for (let n = 0; n < number; n += 1) await send('POST', '/cards', { cardProgramId, cardholderId: data.id });
      handled += 1;
    }).listen(0, '127.0.0.1');
    await new Promise(resolve => receiver.on('listening', resolve));
    await send('PATCH', '/webhooks/config', {
      webhookUrl: 'http://127.0.0.1:' + receiver.address().port,
      webhookSecret: 'a-secret-of-more-than-16',
      subscribedEvents: ['cardholder.approved'],
    });
    await person();
    while (handled === 0) await pause(20);
    await control('/deliveries/settle');
    await pause(300);
    process.exit(0);`;
  const { report } = await exam(['--only', 'webhooks-twice'], program(script));
  expect(verdictsOf(report)).toEqual({ 'webhooks-twice': verdict });
});

test.each([
  ['throws', 'throw new Error("no signature");'],
  ['never answers', 'return new Promise(() => {});'],
])('a receiver in process that %s breaks', async (_, odd) => {
  const script = `
    const { createSandbox } = await import(process.env.PACKAGE);
    const sandbox = createSandbox({
      assume: { 'webhook-timeout': '500ms' },
      webhookReceiver(request) {
        if (request.headers.has('x-service-signature')) return new Response();
        ${odd}
      },
    });
    const headers = { 'x-service-api-key': sandbox.apiKey, 'content-type': 'application/json' };
    await sandbox.fetch(sandbox.baseUrl + '/partner/webhooks/config', {
      method: 'PATCH',
      headers,
      body: JSON.stringify({
        webhookUrl: 'https://app.test/',
        webhookSecret: 'a-secret-of-more-than-16',
        subscribedEvents: ['cardholder.created'],
      }),
    });
    await sandbox.fetch(sandbox.baseUrl + '/partner/cardholders', {
      method: 'POST',
      headers,
      body: JSON.stringify({
        ...{ externalUserId: 'user_1', email: 'one@example.com', phoneNumber: '+4915123456789' },
        ...{ kycSource: 'idp1', idp1ShareToken: 'idp1_test_approve_one' },
      }),
    });
    await sandbox.webhooks.settle();
    await sandbox.close();`;
  const { report } = await exam(['--only', 'signature-missing'], program(script));
  expect(verdictsOf(report)).toEqual({ 'signature-missing': 'broke' });
});

test.each([
  ['with its command', 'receiver.close(); return process.exit(0);'],
  [
    'and followed by another one at its port',
    `receiver.close().closeAllConnections();
     await pause(300);
     return receiver.listen(port, '127.0.0.1');`,
  ],
])('a receiver that is closed %s while a forged webhook is in flight shows nothing', async (_, odd) => {
  const flags = ['--retry-speed', '100', '--only', 'signature-missing'];
  const { report } = await exam(flags, program(receiving(odd)));
  expect(verdictsOf(report)).toEqual({ 'signature-missing': 'not-exercised' });
});
