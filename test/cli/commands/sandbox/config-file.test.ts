import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../../src/index.ts';
import { pageBlocks } from '../../../docs/pages/blocks.ts';
import { runInProcess, startHere, startPrettyHere } from '../../../support/cli-in-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const PEOPLE =
  'cardholders: [{ id: ch_ada, externalUserId: ada, email: ada@example.test, kycStatus: approved }]\n';
const documented = pageBlocks('docs/command-line.md').find(({ language }) => language === 'yaml');
/** The file that the documentation shows, and what else can stand in one. */
const CONFIG = `${documented?.text.trimEnd()}
  amount-unit: minor
log-format: pretty
port: 1
`;

/** Writes a configuration file, and the fixture that it names beside it. */
async function configFile(text = CONFIG): Promise<string> {
  const file = await temporaryFile('card-sandbox.config.yaml');
  await writeFile(file, text);
  await writeFile(join(dirname(file), 'people.yaml'), PEOPLE);
  return file;
}

async function infoOptions(response: Response): Promise<Record<string, unknown>> {
  const { options } = JSON.parse(await response.text());
  return options;
}

async function optionsOf(args: readonly string[]): Promise<Record<string, unknown>> {
  const { listening } = await startHere(args);
  return infoOptions(await fetch(`${listening.url}/_sandbox/info`));
}

test('start reads the options of the file, with paths from its folder', async () => {
  const file = await configFile();
  expect(await optionsOf(['--config', file])).toMatchObject({
    config: file,
    kycDelay: '200ms',
    fixtures: ['starter', join(dirname(file), 'people.yaml')],
    assume: { 'list-order': 'oldest', 'amount-unit': 'minor' },
    idLength: 30,
  });
});

test('flags win over the file; --fixtures replaces, --assume and --names add', async () => {
  const file = await configFile(`${CONFIG}names: { service: acme }\n`);
  const flags = ['--kyc-delay', '1s', '--fixtures', 'empty', '--assume', 'list-order=newest'];
  expect(await optionsOf(['--config', file, ...flags, '--names', 'idp1=checkly'])).toMatchObject({
    kycDelay: '1s',
    names: { service: 'acme', idp1: 'checkly' },
    fixtures: ['empty'],
    assume: { 'list-order': 'newest', 'amount-unit': 'minor' },
    idLength: 30,
  });
});

test('--assume takes several settings at once', async () => {
  expect(await optionsOf(['--assume', 'list-order=oldest', 'amount-unit=minor'])).toMatchObject({
    assume: { 'list-order': 'oldest', 'amount-unit': 'minor' },
  });
});

test('the banner names the file', async () => {
  const file = await configFile();
  const { banner } = await startPrettyHere(['--config', file]);
  expect(banner).toMatch(/Configuration .*card-sandbox\.config\.yaml/);
});

test.each([
  ['kyc-dely: 1s', 'card-sandbox.config.yaml:1: kyc-dely: is unknown, did you mean "kyc-delay"?'],
  ['names: { foo: a }', 'names.foo: is unknown; known fields are service, idp1, idp2'],
  ['seed: 7\nkyc-delay: soon', 'card-sandbox.config.yaml:2: kyc-delay: must be a duration'],
  ['assume:\n  list-order: oldset', 'card-sandbox.config.yaml:2: assume.list-order: '],
  ['assume:\n  card-status-parameter:', 'card-sandbox.config.yaml:2: assume.card-status-parameter: '],
  [
    'allow-host: [a.test,\n  http://b.test]',
    'card-sandbox.config.yaml:2: allow-host[1]: must be a host name',
  ],
  ['control-token: s3cret', 'card-sandbox.config.yaml:1: control-token: is a secret'],
  ['handlers: ./handlers.ts', 'card-sandbox.config.yaml:1: handlers: is code'],
])('%j is refused with file, line and rule', async (text, message) => {
  const { code, stderr } = await runInProcess(['start', '--config', await configFile(text)]);
  expect(code).toBe(1);
  expect(stderr).toContain('the configuration is invalid');
  expect(stderr).toContain(message);
});

test('a value that breaks one rule is one problem', async () => {
  const { stderr } = await runInProcess(['start', '--config', await configFile('seed: 9007199254740992')]);
  expect(stderr.match(/seed: /g)).toHaveLength(1);
});

test('what a file must not hold is not among the fields that a message offers', async () => {
  const { stderr } = await runInProcess(['start', '--config', await configFile('xyzzy: 1')]);
  expect(stderr).toMatch(/xyzzy: is unknown; known fields are .*\bkyc-delay\b/);
  expect(stderr).not.toMatch(/control-token|handlers/);
});

test('a file that does not exist is refused', async () => {
  const { code, stderr } = await runInProcess(['start', '--config', 'missing.yaml']);
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no such file'),
  });
});

test('createSandbox reads the file that it is told to, and its own options win', async () => {
  const file = await configFile(`${CONFIG}names: { service: acme }\n`);
  const sandbox = createSandbox({
    config: file,
    kycDelay: '3s',
    names: { idp1: 'checkly' },
    assume: { 'list-order': 'newest' },
  });
  const options = await infoOptions(await sandbox.fetch('/_sandbox/info'));
  expect(options).toMatchObject({
    config: file,
    kycDelay: '3s',
    idLength: 30,
    freeze: true,
    names: { service: 'acme', idp1: 'checkly' },
    assume: { 'list-order': 'newest', 'amount-unit': 'minor' },
  });
  await sandbox.close();
});

/** Exits with 0 when the sandbox of a command has the options of the file, and keeps no state. */
const CHECK = `
  const { CARD_SANDBOX_URL: url, CARD_SANDBOX_WORLD: world } = process.env;
  const { options } = await (await fetch(url + (world ? '/_sandbox/worlds/' + world : '/_sandbox') + '/info')).json();
  process.exit(options.kycDelay === '200ms' && options.idLength === 30 && !options.state ? 0 : 9);`;
const CHECK_COMMAND = ['--', process.execPath, '--input-type=module', '-e', CHECK];

test('exec takes the options of the file, without those that belong to start', async () => {
  const file = await configFile(`${CONFIG}state: state.json\n`);
  expect(await runInProcess(['exec', '--config', file, ...CHECK_COMMAND])).toMatchObject({ code: 0 });
});

test('exec --on gives its world the options of the file', async () => {
  const { listening } = await startHere();
  const file = await configFile();
  const on = ['exec', '--on', listening.url, '--config', file];
  expect(await runInProcess([...on, ...CHECK_COMMAND])).toMatchObject({ code: 0 });
});

test('exec --on says which options of the file belong to the running sandbox', async () => {
  const { listening } = await startHere();
  const file = await configFile(
    'kyc-delay: 1s\nnames: { service: acme }\ndocumented-only: true\nmap: [https://a.test=http://127.0.0.1:3000]\n',
  );
  const on = ['exec', '--on', listening.url];
  const { code, stderr } = await runInProcess([...on, '--config', file, '--', 'true']);
  expect(code).toBe(0);
  expect(stderr).toContain(
    `ignored in ${file}, because they belong to the sandbox at ${listening.url}: map, documented-only, names`,
  );
  const other = await configFile('kyc-delay: 1s\n');
  expect((await runInProcess([...on, '--config', other, '--', 'true'])).stderr).not.toContain('ignored in');
});

test('the file in the working folder is read unless --no-config is given; two of them, and one that ends in .yml, are refused', async () => {
  const file = await configFile();
  const before = process.cwd();
  process.chdir(dirname(file));
  try {
    expect(await optionsOf([])).toMatchObject({
      config: basename(file),
      fixtures: ['starter', 'people.yaml'],
    });
    expect(await optionsOf(['--no-config'])).not.toHaveProperty('config');
    await writeFile('card-sandbox.config.json', '{}');
    const { code, stderr } = await runInProcess(['start', '--port', '0']);
    expect(code).toBe(2);
    expect(stderr).toContain('card-sandbox.config.yaml and card-sandbox.config.json are both here');
    await rename('card-sandbox.config.json', 'card-sandbox.config.yml');
    await rm('card-sandbox.config.yaml');
    expect(await runInProcess(['start', '--port', '0'])).toMatchObject({
      code: 2,
      stderr:
        'error: card-sandbox.config.yml is not read; rename it to card-sandbox.config.yaml, or name it with --config\n',
    });
  } finally {
    process.chdir(before);
  }
});

test('a key that stands twice in a configuration file in JSON is refused with its place', async () => {
  const file = await temporaryFile('card-sandbox.config.json');
  await writeFile(file, '{\n  "seed": 1,\n  "seed": 2\n}');
  expect(await runInProcess(['start', '--port', '0', '--config', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${file}:3:3: JSON: duplicate key; keep one and move the rest there`),
  });
});

test('a mistake that is not in the format of a file is reported with the file and the field, too', async () => {
  const file = await configFile('webhook-ca: ./none.pem\n');
  const { code, stderr } = await runInProcess(['exec', '--config', file, '--', 'true']);
  expect([code, stderr]).toEqual([
    1,
    `error: ${file}: webhook-ca: must be a PEM file; it cannot be read: there is no such file\n`,
  ]);
});

test.each([
  ['fixtures: [emtpy]', 'the fixtures are invalid:\n', ['--fixtures', 'emtpy']],
  ['scenarios: [none.yaml]', 'the scenario is invalid:\n', ['--scenarios', 'none.yaml']],
  ['host: 192.0.2.1', 'host 192.0.2.1 is not an address of this machine', ['--host', '192.0.2.1']],
  ['state: none/world.json', 'state ', ['--state', 'none/world.json']],
  ['watch: true', 'watch needs a fixture file', ['--watch']],
])('a start that %j prevents names the file, and with the flag it does not', async (text, message, flag) => {
  const file = await configFile(`${text}\nport: 0\n`);
  const { stderr } = await runInProcess(['start', '--config', file]);
  expect(stderr).toContain(`error: ${file}: ${message}`);
  const typed = await runInProcess(['start', '--config', file, ...flag]);
  expect(typed.stderr).toMatch(new RegExp(`^error: (?:--)?${message}`));
});

test('a port that is in use is reported with the file that sets it', async () => {
  const { listening } = await startHere();
  const file = await configFile(`port: ${new URL(listening.url).port}\n`);
  const { stderr } = await runInProcess(['start', '--config', file]);
  expect(stderr).toContain(`error: ${file}: port `);
});

test('all settings and names of a file that are invalid are reported at once', async () => {
  const file = await configFile(`assume:
  list-order: oldset
  amount-unit: cents
names:
  idp1: api
  service: a b
`);
  const { stderr } = await runInProcess(['start', '--config', file]);
  expect(stderr).toContain(':2: assume.list-order: ');
  expect(stderr).toContain(':3: assume.amount-unit: ');
  expect(stderr).toContain('(the name of service)');
  expect(stderr).toContain('(the name of idp1)');
});

test('demo takes of a configuration file the names, and plays with default options', async () => {
  const file = await configFile(`names: { idp1: checkly }
assume: { amount-unit: minor, webhook-envelope: data }
kyc-delay: 1h
rate-limit: 1
documented-only: true
forward-to: http://127.0.0.1:9/hooks
`);
  const demo = await runInProcess(['demo', 'kyc-reimport', '--config', file]);
  expect(demo.code).toBe(0);
  expect(demo.stdout).toContain('checklyShareToken');
});

test('the choice null of a setting may be written without quotes', async () => {
  const file = await configFile('assume: { unset-config: null }\nfixtures: [empty]\n');
  const { ask } = await startHere(['--config', file]);
  const { body: register } = await ask('GET', '/_sandbox/assumptions');
  expect(register.find(({ id }: { id: string }) => id === 'unset-config').setting.value).toBe('null');
});
