import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess, serveHere, sharedSandbox } from '../../../support/cli-in-process.ts';
import { CLI_PROGRAM, startProcess } from '../../../support/cli-process.ts';
import { listen } from '../../../support/listen.ts';
import { isInstalled } from '../../support/installed.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const { running } = sharedSandbox(['--fixtures', 'empty', '--allow-http-webhooks', '--retry-speed', '1']);
/** The program that gives another one a terminal. */
const TERMINAL = 'script';
const demo = (...words: string[]) => runInProcess(['demo', ...words]);

/** A proxy in front of a sandbox that changes the text of its responses. */
function proxyTo(origin: string, change: (text: string) => string): Promise<string> {
  const { host } = new URL(origin);
  return listen((incoming, response) => {
    const { method, url = '/', headers } = incoming;
    const forwarded = request(origin + url, { method, headers: { ...headers, host } }, answer => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', chunk => {
        text += chunk;
      });
      answer.on('end', () => {
        const { 'content-length': _, ...kept } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, kept).end(change(text));
      });
    });
    incoming.pipe(forwarded);
  });
}

test.each([
  [
    'kyc-reimport',
    19,
    /409 Conflict\n\s+error\.code +CARDHOLDER_KYC_LOCKED\n[\s\S]*Required by section 4\.1 of the interface\./,
  ],
  ['errors-in-requests', 13, /← 429 Too Many Requests\n +Retry-After +\d+\n/],
  [
    'card-lifecycle',
    24,
    /← webhook card\.issued\n +valid signature, response 200 OK; delivery status delivered\n/,
  ],
] as const)('demo %s passes and prints the same bytes each time', async (name, steps, part) => {
  const [first, second] = await Promise.all([demo(name), demo(name)]);
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`\n\nAll ${steps} steps passed.\n`),
  });
  expect(first.stdout).toMatch(part);
  // Retry-After is in wall time.
  const timeless = ({ stdout }: typeof first) => stdout.replaceAll(/(Retry-After +|again in\s+)\d+/g, '$1…');
  expect(timeless(second)).toBe(timeless(first));
  expect(first.stdout).not.toMatch(/sk_test_\w|idp1_test_|127\.0\.0\.1/);
  expect(first.stdout).toMatch(/idp1ShareToken +…\S{4}\n/);
  expect(first.stdout).not.toContain('\u001b');
  expect(first.stderr).toMatch(/^started a temporary sandbox at http:\/\/127\.0\.0\.1:\d+\n$/);
});

test('demo error-flows plays three scenarios, with every documented error and both conflicts with both reasons', async () => {
  const { stdout } = await demo('error-flows');
  for (const status of [400, 401, 404, 409, 429, 500]) expect(stdout).toContain(`← ${status} `);
  for (const word of ['EMAIL_ALREADY_REGISTERED', 'provider_submitted', 'card_issued'])
    expect(stdout).toContain(word);
  for (const steps of [13, 14, 15]) expect(stdout).toContain(`All ${steps} steps passed.`);
  expect(stdout).toMatch(
    /webhook cardholder\.kyc\.updated, attempt 6\n[^←→]*500[^←→]*delivery\s+status\s+failed/,
  );
});

test('a step shows what it is about besides what it expects', async () => {
  const { stdout } = await demo('kyc-reimport');
  expect(stdout).toMatch(/There is one Zoe, with the name that was checked\n[^»]* lastName +Lefebvre\n/);
  expect(stdout).toMatch(/← webhook cardholder\.created\n[^»→]* lastName +Lefevbre\n/);
});

test('a step that fails is shown with its differences and the rule, and the rest is not played', async () => {
  const url = await proxyTo(running().url, text =>
    text.replace('"reason":"provider_submitted"', '"reason":"card_issued"'),
  );
  const { code, stdout } = await demo('errors-too-late', '--url', url);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    / {4}✗ body\.error\.reason differs\n {8}expected {2}"provider_submitted"\n {8}got {7}"card_issued"\n {8}rule {6}interface section 4\.1\n\n1 of 14 steps failed: 10; 4 steps not played\.\n$/,
  );
});

test('--keep-going plays on, and the webhooks of a running sandbox are restored', async () => {
  const { ask, url: origin } = running();
  const config = {
    webhookUrl: 'https://hooks.example.com/a',
    webhookSecret: 'a-secret-of-our-own',
    subscribedEvents: ['card.issued'],
  };
  await ask('PATCH', '/v1/partner/webhooks/config', config);
  const url = await proxyTo(origin, text => text.replace('CARDHOLDER_KYC_LOCKED', 'LOCKED'));
  const { code, stdout } = await demo('kyc-reimport', '--url', url, '--keep-going', '--json');
  expect(code).toBe(1);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ ok: false, failed: 2, passed: 17, left: 0 });
  expect((await ask('GET', '/v1/partner/webhooks/config')).body).toEqual(config);
});

test('webhook steps are skipped when a running sandbox refuses http:// webhooks', async () => {
  const { url } = await serveHere(['--fixtures', 'empty', '--freeze']);
  const { code, stdout } = await demo('card-lifecycle', '--url', url);
  expect(code).toBe(0);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('start the sandbox with --allow-http-webhooks');
  expect(stdout).toMatch(/19 steps passed; 5 steps skipped\.\n$/);
});

test('--pause without a terminal is reported and ignored', async () => {
  const { code, stderr, stdout } = await demo('kyc-reimport', '--pause');
  expect(code).toBe(0);
  expect(stderr).toContain('--pause needs a terminal; playing without pauses\n');
  expect(stdout).toContain('All 19 steps');
});

/** A demo in a terminal, to which keys can be sent. */
function inTerminal(command: string) {
  const child = spawn(TERMINAL, ['-qec', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', TERM: 'xterm' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  const seen = (pattern: RegExp) =>
    new Promise<void>(resolve => {
      const look = () => pattern.test(text) && resolve();
      child.stdout.on('data', look);
      look();
    });
  child.stdout.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  const ended = new Promise<number | null>(resolve => child.once('close', resolve));
  return { press: (keys: string) => child.stdin.write(keys), seen, ended, text: () => text };
}

test.skipIf(!isInstalled(TERMINAL, '--version'))(
  '--pause waits for a key between steps, and q quits',
  async () => {
    const terminal = inTerminal(`'${process.execPath}' '${CLI_PROGRAM}' demo kyc-reimport --pause`);
    await terminal.seen(/press any key to continue, q to quit/);
    expect(terminal.text()).toContain(' 1 of 19  Acme looks up');
    expect(terminal.text()).not.toContain(' 2 of 19  Zoe');
    terminal.press(' ');
    await terminal.seen(/ 2 of 19 {2}Zoe[\s\S]*press any key/);
    expect(terminal.text()).not.toContain(' 3 of 19  Acme');
    terminal.press('q');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).not.toContain(' 3 of 19  Acme');
  },
);

test.skipIf(!isInstalled(TERMINAL, '--version'))(
  'in a terminal of 60 columns no line is longer',
  async () => {
    const terminal = inTerminal(
      `stty cols 60; '${process.execPath}' '${CLI_PROGRAM}' demo error-flows 2>/dev/null`,
    );
    expect(await terminal.ended).toBe(0);
    const lines = terminal.text().split(/\r?\n/);
    expect(lines.length).toBeGreaterThan(200);
    expect(lines.filter(line => line.length > 60)).toEqual([]);
  },
);

test.skipIf(!isInstalled(TERMINAL, '--version'))(
  'in a narrow terminal a value stands below its name, and is not cut to letters',
  async () => {
    const terminal = inTerminal(
      `stty cols 44; '${process.execPath}' '${CLI_PROGRAM}' demo card-lifecycle 2>/dev/null`,
    );
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toMatch(/\n {8}spendControl\.sales\.perTransaction\r?\n {10}100\r?\n/);
    expect(terminal.text()).toMatch(/\n {8}nameOnCard\r?\n {10}Lea Moreau\r?\n/);
  },
);

test('a long name is apart from its value', async () => {
  const file = await temporaryFile('spent.json');
  const body = { data: [{ spendControl: { spent: { sales: { perTransaction: 0 } } } }] };
  const step = { request: 'GET /partner/cards?limit=1', expect: { body } };
  await writeFile(file, JSON.stringify({ name: 'Spent', steps: [step] }));
  const { stdout } = await demo(file);
  expect(stdout).toContain('        data[0].spendControl.spent.sales.perTransaction  0\n');
});

test.each(['SIGINT', 'SIGHUP'] as const)('%s ends a demo cleanly, and its sandbox stops', async signal => {
  const playing = startProcess(process.execPath, [CLI_PROGRAM, 'demo', 'error-flows']);
  const [, origin = ''] = await playing.complained(/at (http:\S+)\n/);
  await playing.printed(/\n 2 of 13 {2}Acme asks/);
  playing.child.kill(signal);
  expect(await playing.ended).toMatchObject({ code: 0, signal: null });
  expect(playing.stderr().split('\n')).toHaveLength(2);
  await expect(fetch(origin)).rejects.toThrow();
});

test('a pipe that is closed early ends a demo silently', async () => {
  const command = `'${process.execPath}' '${CLI_PROGRAM}' demo error-flows; echo "code $?" >&2`;
  const shell = startProcess('sh', ['-c', `{ ${command}; } | head -n 1`]);
  await shell.complained(/^code 0$/m);
  expect(shell.stderr()).toMatch(/^started a temporary sandbox at \S+\ncode 0\n$/);
});
