import { expect, onTestFinished, test } from 'vitest';
import pkg from '../../package.json' with { type: 'json' };
import { COMMAND_WORDS } from '../../src/cli/commands.ts';
import { NOUNS } from '../../src/cli/from-operations/command-table.ts';
import { runInProcess } from '../support/cli-in-process.ts';

const START_HINT = '(card-sandbox start --help lists the options)';
const EXEC_HINT = '(card-sandbox exec --help shows its usage; the command goes after --)';

test('--help and help print the same help', async () => {
  const [flag, command] = await Promise.all([runInProcess(['--help']), runInProcess(['help'])]);
  expect(flag).toMatchObject({ code: 0, stderr: '' });
  expect(command).toEqual(flag);
  expect(flag.stdout).toMatch(/^Usage: card-sandbox \[options\] \[command\]\n\nA local, stateful simulator/);
  const documented =
    'start exec env trigger simulate clock reset state events requests tail faults listen fixtures guide exam';
  for (const word of documented.split(' ')) expect(flag.stdout).toMatch(new RegExp(`^  ${word} `, 'm'));
});

test.each([[[]], [['exec']], [['clock', 'advance']]])('help %j succeeds in a program', async words => {
  // As main.ts begins.
  const before = process.exitCode;
  process.exitCode = 1;
  onTestFinished(() => {
    process.exitCode = before;
  });
  const { code, stdout, stderr } = await runInProcess(['help', ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`Usage: ${['card-sandbox', ...words].join(' ')} [options]`);
});

test('the help of the program fits one screen', async () => {
  const { stdout } = await runInProcess(['--help']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(42);
  expect(lines.filter(line => line.length > 100)).toEqual([]);
  expect(lines.filter(line => /^\S.*:$/.test(line))).toHaveLength(4);
  const listed = lines.filter(line => line.startsWith('  ')).map(line => line.trim().split(' ')[0] ?? '');
  expect(listed.length).toBeGreaterThanOrEqual(20);
  expect(listed.length).toBeLessThanOrEqual(25);
  const words = [...new Set(COMMAND_WORDS.map(each => each.split(' ')[0]))];
  expect(words).toEqual(expect.arrayContaining(listed));
  // Whatever is neither listed nor a noun is in a line of its own.
  const [more = ''] = lines.filter(line => line.startsWith('More: '));
  const others = more.slice('More: '.length).split(', ');
  expect(words.toSorted()).toEqual(
    [...new Set([...listed, ...others, ...Object.keys(NOUNS)])].filter(each => each !== 'help').toSorted(),
  );
});

test('resources lists each noun once, in the plural, with its commands', async () => {
  const { stdout } = await runInProcess(['resources', '--json']);
  const nouns: { noun: string; commands: string[] }[] = JSON.parse(stdout);
  expect(nouns).toContainEqual(expect.objectContaining({ noun: 'cards', commands: ['list', 'show'] }));
  expect(nouns).toContainEqual(expect.objectContaining({ noun: 'share-tokens', commands: ['add', 'list'] }));
  expect(nouns).toContainEqual(
    expect.objectContaining({ noun: 'requests', commands: ['explain', 'list', 'show'] }),
  );
  for (const { noun, commands } of nouns) expect(commands, noun).not.toEqual([]);
  const table = (await runInProcess(['resources'])).stdout;
  for (const { noun } of nouns) expect(table.match(new RegExp(`^${noun} `, 'gm')), noun).toHaveLength(1);
});

test('a command line without a command is wrong usage and names the next command, in 15 short lines', async () => {
  const { code, stdout, stderr } = await runInProcess([]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  for (const next of ['start ', 'exec -- npm test ', 'init ', 'guide ', '--help ']) {
    expect(stderr).toContain(`  npx card-sandbox ${next}`);
  }
  expect(stderr).toMatch(/dashboard/);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(15);
  expect(lines.filter(line => line.length > 82)).toEqual([]);
});

test('--version prints the version of the package', async () => {
  expect(await runInProcess(['--version'])).toEqual({
    code: 0,
    signal: null,
    stdout: `${pkg.version}\n`,
    stderr: '',
  });
});

const WRONG: [args: string[], message: string][] = [
  [['strat'], "unknown command 'strat'\n(Did you mean start?)\n(card-sandbox --help lists the commands)"],
  [
    ['strat', '--help'],
    "unknown command 'strat'\n(Did you mean start?)\n(card-sandbox --help lists the commands)",
  ],
  [
    ['help', 'clock', 'nope'],
    "unknown command 'clock nope'\n(The commands are advance, freeze, now, resume.)\n(card-sandbox clock --help shows its usage)",
  ],
  [
    ['clock', 'show'],
    "unknown command 'clock show'\n(The commands are advance, freeze, now, resume.)\n(card-sandbox clock --help shows its usage)",
  ],
  [
    ['authorize', 'card_mia_active', '5'],
    "unknown command 'authorize'\n(Did you mean simulate authorize?)\n(card-sandbox --help lists the commands)",
  ],
  [['--bogus'], "unknown option '--bogus'\n(card-sandbox --help lists the commands)"],
  [['start', '--prot', '1'], `unknown option '--prot'\n(Did you mean --port?)\n${START_HINT}`],
  [['start', '--kyc-dela=1s'], `unknown option '--kyc-dela=1s'\n(Did you mean --kyc-delay?)\n${START_HINT}`],
  [['start', '--retry', '60'], `unknown option '--retry'\n${START_HINT}`],
  [['start', '--map'], `option '--map <from=to>' argument missing\n${START_HINT}`],
  [['start', 'now'], `too many arguments for 'start'. Expected 0 arguments but got 1.\n${START_HINT}`],
  [['start', '--port'], `option '--port <number>' argument missing\n${START_HINT}`],
  [['start', '--fixtures'], `option '--fixtures <file...>' argument missing\n${START_HINT}`],
  [['start', '--seed', '--'], `option '--seed <number>' argument missing\n${START_HINT}`],
  [['exec', '--artifacts', '--', 'false'], `option '--artifacts <dir>' argument missing\n${EXEC_HINT}`],
  [['exec', '--state', '--', 'false'], `option '--state <file>' argument missing\n${EXEC_HINT}`],
  [['exec', '--fixtures', '--', 'false'], `option '--fixtures <file...>' argument missing\n${EXEC_HINT}`],
  [
    ['cards', 'list', '--status=--'],
    "option '--status <text>' argument missing\n(card-sandbox cards list --help shows its usage)",
  ],
];

test.each(WRONG)('%j is wrong usage', async (args, message) => {
  expect(await runInProcess(args)).toEqual({
    code: 2,
    signal: null,
    stdout: '',
    stderr: `error: ${message}\n`,
  });
});

const PORT = 'It must be a whole number from 0 to 65535.';
const NUMBER = 'It must be a whole number, not below 0.';
const DURATION = 'It must be a duration such as 500ms, 90s, 30m, 2h or 1d, at most 100 years.';
const VISIBLE = 'It must be one or more visible ASCII characters, without spaces.';

const REFUSED: [flag: string, value: string, rule: string | RegExp][] = [
  ['--port <number>', 'http', PORT],
  ['--port <number>', '65536', PORT],
  ['--port <number>', '', PORT],
  ['--seed <number>', 'x', NUMBER],
  ['--seed <number>', '1e3', NUMBER],
  ['--seed <number>', '9007199254740992', 'It must be at most 9007199254740991.'],
  ['--rate-limit <number>', '-5', NUMBER],
  ['--rate-limit <number>', '1000001', 'It must be at most 1000000.'],
  ['--clock <time>', '2026-02-30T00:00:00Z', /2026-02-30: there is no such day/],
  ['--kyc-delay <duration>', '3', DURATION],
  ['--kyc-delay <duration>', '-1s', DURATION],
  ['--host <name>', 'two words', VISIBLE],
  ['--control-token <token>', '', VISIBLE],
  ['--control-token <token>', 'tøken', VISIBLE],
  ['--retry-speed <number>', 'fast', 'It must be a number, such as 60 or 0.5.'],
  ['--retry-speed <number>', '-1', 'It must be a number, such as 60 or 0.5.'],
  ['--forward-to <url>', '127.0.0.1:3000', 'It must be an absolute http:// or https:// URL.'],
  ['--forward-to <url>', 'http://me:pw@127.0.0.1/', 'It must not hold a user name or password.'],
  [
    '--map <from=to>',
    'https://hooks.test',
    /It must be FROM=TO, two .* such as https:\/\/hooks.partner.test=/,
  ],
  ['--egress <reach>', 'all', 'Allowed choices are private, any.'],
  ['--webhook-ca <file>', '/no/such.pem', /It must be a PEM file; it cannot be read: there is no such file/],
  ['--log-format <format>', 'xml', 'Allowed choices are pretty, json.'],
];

test.each(REFUSED)('%s refuses %j and names the rule', async (flags, value, rule) => {
  const [flag = ''] = flags.split(' ');
  const { code, stdout, stderr } = await runInProcess(['start', flag, value]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  const [message = '', ...hint] = stderr.split('\n');
  expect(hint).toEqual([START_HINT, '']);
  // What is wrong with a secret is said without it.
  const shown = flag === '--control-token' ? '' : ` '${value}'`;
  const opening = `error: option '${flags}' argument${shown} is invalid. `;
  expect(message.slice(0, opening.length)).toBe(opening);
  if (typeof rule === 'string') expect(message).toBe(opening + rule);
  else expect(message).toMatch(rule);
});

test('no message about usage holds a secret', async () => {
  const key = `sk_live_${'x'.repeat(20)}`;
  for (const args of [
    ['run', 'kyc-reimport', '--api-key', key],
    ['cards', 'list', '--status', key],
    ['start', '--control-token', 'a secret'],
  ]) {
    for (const words of [args, [...args, '--json']]) {
      const { code, stderr } = await runInProcess(words);
      expect([code, stderr]).toEqual([2, expect.not.stringMatching(/x{20}|a secret/)]);
    }
  }
  const { stderr } = await runInProcess(['run', 'kyc-reimport'], { SERVICE_API_KEY: key });
  expect(stderr).toMatch(/SERVICE_API_KEY: It is a production key/);
  expect(stderr).not.toContain(key);
});

test.each(['', '.', '..'])('the id %j is refused before anything is called', async id => {
  const finished = await runInProcess(['cards', 'show', id, '--url', 'http://127.0.0.1:1']);
  expect(finished).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${JSON.stringify(id)} is not a valid id`),
  });
});

test.each([
  ['exec', '--artifacts', '-', '--', 'true'],
  ['exec', '--coverage=-', '--', 'true'],
  ['exam', '--junit', '-', '--', 'true'],
  ['run', 'kyc-reimport', '--junit', '-'],
  ['start', '--background', '--log-file', '-'],
  ['start', '--state', '-'],
  ['fixtures', 'init', '-'],
])('a file is not called - by somebody who means standard output: %s %s', async (...words) => {
  const { code, stderr } = await runInProcess(words);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(
      /'-' is (?:invalid|not a valid)[\s\S]*It must be a path; a file that is called - is \.\/-\./,
    ),
  ]);
});

test.each([
  ['exec', '--artifacts', '', '--', 'true'],
  ['exam', '--artifacts', '', '--', 'true'],
  ['exam', '--junit', '', '--', 'true'],
  ['demo', 'kyc-reimport', '--junit', ''],
  ['start', '--handlers', ''],
])('a path from a variable that is not set is refused: %s %s', async (...words) => {
  const { code, stderr } = await runInProcess(words);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/argument '' is invalid\. It must not be empty\./),
  ]);
});
