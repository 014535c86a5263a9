import { expect, test } from 'vitest';
import pkg from '../../package.json' with { type: 'json' };
import { runInProcess } from '../support/cli-in-process.ts';

const START_HINT = '(card-sandbox start --help lists the options)';

test('--help and help print the same help', async () => {
  const [flag, command] = await Promise.all([runInProcess(['--help']), runInProcess(['help'])]);
  expect(flag).toMatchObject({ code: 0, stderr: '' });
  expect(command).toEqual(flag);
  expect(flag.stdout).toMatch(/^Usage: card-sandbox \[options\] \[command\]\n\nA local, stateful simulator/);
  const documented =
    'start exec env trigger simulate share-token clock reset checkpoint state events requests tail faults listen fixtures';
  for (const word of documented.split(' ')) expect(flag.stdout).toMatch(new RegExp(`^  ${word} `, 'm'));
  // Every command is in a group.
  expect(flag.stdout).not.toContain('\nCommands:\n');
  expect(flag.stdout).toContain('$ card-sandbox start --help          # list all options of a sandbox\n');
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

test('start --help and help start explain every flag with its default', async () => {
  const [flag, command] = await Promise.all([
    runInProcess(['start', '--help']),
    runInProcess(['help', 'start']),
  ]);
  expect(flag).toMatchObject({ code: 0, stderr: '' });
  expect(command).toEqual(flag);
  const [options = ''] = flag.stdout.split('\nFixtures are');
  expect(options).toMatchInlineSnapshot(`
    "Usage: card-sandbox start [options]

    Start a sandbox and serve its API over HTTP.

    Options:
      --port <number>          port to listen on; 0 picks a free one (default: 4242)
      --host <name>            name or address to listen on; beyond loopback the
                               control plane requires a token (default: 127.0.0.1)
      --allow-host <name>      host name to answer to besides loopback names;
                               repeatable (default: none; beyond loopback, every
                               name)
      --fixtures <file...>     seed data: built-in names or file paths, merged in
                               order (default: starter)
      --state <file>           state file: loaded at start if it exists, saved after
                               changes and on exit (default: state is kept in
                               memory)
      --seed <number>          seed of every generated id, name and card number; if
                               given, of secrets too (default: 42)
      --clock <time>           initial time of the sandbox clock (default: now)
      --freeze                 freeze the clock; it moves only when advanced
                               (default: it runs)
      --kyc-delay <duration>   delay until the simulated provider decides a KYC
                               submission (default: 2s)
      --id-length <number>     length of generated ids with their prefix, from 24 to
                               255 (default: 16 letters after the prefix)
      --rate-limit <number>    requests per minute and API key; 0 disables the limit
                               (default: 1000)
      --allow-http-webhooks    accept http:// webhook URLs (default: https:// only)
      --retry-speed <number>   how many times faster than the published schedule
                               webhooks are retried (default: 60; with --freeze 1)
      --forward-to <url>       send every webhook to this URL instead of the
                               configured one
      --map <from=to>          send webhooks for URLs under FROM to the same path
                               under TO; repeatable
      --egress <reach>         where webhooks may be sent: loopback and private
                               addresses only, or any address (choices: "private",
                               "any", default: private)
      --webhook-ca <file>      PEM file of additional certificates to trust for
                               webhooks
      --insecure-webhook-tls   accept any TLS certificate of a webhook receiver
                               (default: verify it)
      --documented-only        refuse operations that the interface does not
                               document (default: serve all operations)
      --max-worlds <number>    how many worlds there may be besides main (default:
                               1000)
      --world-ttl <duration>   end a world that nobody has called for this time; 0
                               for never (default: 1h)
      --names <pairs>          names for the neutral words:
                               service=acme,idp1=checkly,idp2=… (default: unchanged)
      --assume <name=value>    what to assume where the interface leaves room;
                               repeatable (docs/fidelity.md lists the names)
                               (default: see there)
      --profile <file>         YAML file with names and assume, which these flags
                               override (default: none)
      --watch                  reload fixture files when they change (default: read
                               once)
      --scenarios <file...>    scenario files for the presenter of the dashboard
                               (default: the built-in ones only)
      --handlers <file>        module of MSW handlers that run before the sandbox
                               (default: none)
      --trust-proxy            take the client address from the last entry of
                               X-Forwarded-For (default: from the socket)
      --control-token <token>  control-plane token, required beyond loopback
                               (default: generated and printed) (env:
                               CARD_SANDBOX_CONTROL_TOKEN)
      --tls-cert <file>        PEM file of a certificate: serve https (default:
                               http)
      --tls-key <file>         PEM file of the private key of that certificate
      --log-format <format>    pretty for people or json for programs; one line per
                               request and per delivery (choices: "pretty", "json",
                               default: pretty)
      --json                   short for --log-format json
      --background             end once the sandbox responds, and print its address
                               and process as JSON
      --log-file <file>        log of --background (default: a file in the folder
                               for temporary files)
      -h, --help               show this help
    "
  `);
  const examples = flag.stdout.split('Examples:\n')[1]?.trim().split('\n') ?? [];
  expect(examples.length).toBeGreaterThan(2);
  for (const example of examples) expect(example).toMatch(/^( {2})?\$ card-sandbox start/);
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
  [['help', 'nope'], "unknown command 'nope'\n(card-sandbox --help lists the commands)"],
  [
    ['strat', '--help'],
    "unknown command 'strat'\n(Did you mean start?)\n(card-sandbox --help lists the commands)",
  ],
  [['help', 'clock', 'nope'], "unknown command 'clock nope'\n(card-sandbox --help lists the commands)"],
  [['--bogus'], "unknown option '--bogus'\n(card-sandbox --help lists the commands)"],
  [['start', '--prot', '1'], `unknown option '--prot'\n(Did you mean --port?)\n${START_HINT}`],
  [['start', '--kyc-dela=1s'], `unknown option '--kyc-dela=1s'\n(Did you mean --kyc-delay?)\n${START_HINT}`],
  [['start', '--retry', '60'], `unknown option '--retry'\n${START_HINT}`],
  [['start', '--map'], `option '--map <from=to>' argument missing\n${START_HINT}`],
  [['start', 'now'], `too many arguments for 'start'. Expected 0 arguments but got 1.\n${START_HINT}`],
  [['start', '--port'], `option '--port <number>' argument missing\n${START_HINT}`],
  [['start', '--fixtures'], `option '--fixtures <file...>' argument missing\n${START_HINT}`],
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
const TIME = /It must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z/;
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
  ['--clock <time>', 'yesterday', TIME],
  ['--clock <time>', '2026-02-30T00:00:00Z', TIME],
  ['--kyc-delay <duration>', '3', DURATION],
  ['--kyc-delay <duration>', '-1s', DURATION],
  ['--host <name>', 'two words', VISIBLE],
  ['--control-token <token>', '', VISIBLE],
  ['--control-token <token>', 'tøken', VISIBLE],
  ['--retry-speed <number>', 'fast', 'It must be a number, such as 60 or 0.5.'],
  ['--retry-speed <number>', '-1', 'It must be a number, such as 60 or 0.5.'],
  ['--retry-speed <number>', '0', 'It must be more than 0.'],
  ['--forward-to <url>', '127.0.0.1:3000', 'It must be an absolute http:// or https:// URL.'],
  ['--forward-to <url>', 'http://me:pw@127.0.0.1/', 'It must not hold a user name or password.'],
  [
    '--map <from=to>',
    'https://hooks.test',
    /It must be FROM=TO, two .* such as https:\/\/hooks.partner.test=/,
  ],
  ['--egress <reach>', 'all', 'Allowed choices are private, any.'],
  ['--webhook-ca <file>', '/no/such.pem', /It must be a PEM file; it cannot be read: ENOENT/],
  ['--log-format <format>', 'xml', 'Allowed choices are pretty, json.'],
];

test.each(REFUSED)('%s refuses %j and names the rule', async (flags, value, rule) => {
  const [flag = ''] = flags.split(' ');
  const { code, stdout, stderr } = await runInProcess(['start', flag, value]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  const [message = '', ...hint] = stderr.split('\n');
  expect(hint).toEqual([START_HINT, '']);
  const opening = `error: option '${flags}' argument '${value}' is invalid. `;
  expect(message.slice(0, opening.length)).toBe(opening);
  if (typeof rule === 'string') expect(message).toBe(opening + rule);
  else expect(message).toMatch(rule);
});
