import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startPrettyHere } from '../../support/cli-in-process.ts';
import { CLI_PROGRAM, startProcess } from '../../support/cli-process.ts';
import { startInProcess } from '../../support/in-process.ts';
import { ACME_KEY, GLOBEX_KEY } from '../../support/sandbox.ts';
import { isInstalled } from '../support/installed.ts';
import { temporaryFile } from '../support/temporary-file.ts';

test('the banner shows addresses, API keys and the options that decide the responses', async () => {
  const { banner, origin } = await startPrettyHere([
    ...['--fixtures', 'empty', '--seed', '7', '--clock', '2026-03-15T10:00:00Z', '--freeze'],
  ]);
  expect(banner).toMatch(/^card-sandbox \d+\.\d+\.\d+\n/);
  const rows = Object.fromEntries(
    [...banner.matchAll(/^ {2}(\S.*?) {2,}(.*)$/gm)].map(([, label, value]) => [label, value]),
  );
  expect(rows).toEqual({
    API: `${origin}/v1`,
    'Control plane': `${origin}/_sandbox`,
    Dashboard: `${origin}/dashboard`,
    Fixtures: 'empty',
    Seed: '7',
    Clock: 'frozen at 2026-03-15T10:00:00Z, moves only when advanced',
    'Key of Acme': ACME_KEY,
    'Key of Globex': GLOBEX_KEY,
  });
});

test
  .skipIf(!isInstalled('curl', '--version'))
  .each([['--seed', '1'], ['--documented-only'], ['--host', '::1']])(
  'the first call of the banner works when pasted (%s)',
  async (...flags) => {
    const { banner } = await startPrettyHere(flags);
    const call = /^ {2}(curl .*)$/m.exec(banner)?.[1] ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', call]);
    expect(JSON.parse(stdout)).toMatchObject({ data: expect.any(Array), page: 1, limit: 20 });
  },
);

test.skipIf(!isInstalled('script', '--version'))(
  'in a terminal of 40 columns values are below their labels and lines break between words',
  async () => {
    const command = `stty cols 40; exec '${process.execPath}' '${CLI_PROGRAM}' start --port 0`;
    const { printed } = startProcess('script', ['-qec', command, '/dev/null'], {
      NO_COLOR: '1',
      TERM: 'xterm',
    });
    const [, origin = ''] = await printed(/(http:[^\s"]*:\d+)[\s\S]*Request log:/);
    await printed(/\r\n {2}Key of Acme\r\n {4}sk_test_acme_\S+\r\n/);
    await fetch(`${origin}/v1/partner/cards`);
    const [log] = await printed(/401 GET[\s\S]*authentication\]\r\n/);
    const [, ...notes] = log.trimEnd().split('\r\n');
    expect(notes.length).toBeGreaterThan(2);
    for (const note of notes) expect(note).toMatch(/^ {4}\S.{0,35}$/);
    expect(notes.map(note => note.trim()).join(' ')).toContain(
      'header x-service-api-key is missing; send the partner',
    );
  },
);

test('the banner lists only the first partners and counts the others', async () => {
  const file = await temporaryFile('partners.yaml');
  const partners = Array.from({ length: 8 }, (_, index) => ({
    id: `partner_${index}`,
    name: `Number ${index}`,
    apiKey: `sk_test_${index}_0123456789`,
  }));
  await writeFile(file, JSON.stringify({ partners }));
  const { banner, origin } = await startPrettyHere(['--fixtures', file]);
  expect(banner.match(/Key of Number \d/g)).toHaveLength(5);
  expect(banner).toMatch(`  3 more keys      ${origin}/_sandbox/info`);
});

test('the banner says where the sandbox listens, and what is not as it is by default', async () => {
  const state = await temporaryFile('new.json');
  const rows = async (...flags: string[]) => {
    const { banner, origin } = await startPrettyHere(flags);
    const row = (label: string) => new RegExp(`^ {2}${label} +(.*)$`, 'm').exec(banner)?.[1];
    const shown = ['API', 'Listens on', 'Header', 'Fixtures', 'State', 'Clock', 'Webhooks go to'].map(row);
    const labels = Array.from(banner.matchAll(/^ {2}([A-Z]\w+(?: \w+)*) {2}/gm), ([, label]) => label);
    return { origin, shown, labels };
  };
  const all = await rows(
    ...['--host', '0.0.0.0', '--clock', '2030-01-01T00:00:00Z', '--state', state],
    ...['--forward-to', 'http://127.0.0.1:9/hooks'],
  );
  expect(all.shown.slice(1)).toEqual([
    '0.0.0.0, all addresses of this machine',
    'Authorization: Bearer <token>',
    'starter',
    `${state}, a new file`,
    'runs from 2030-01-01T00:00:00Z',
    'http://127.0.0.1:9/hooks',
  ]);
  expect(all.labels.slice(0, 6)).toEqual([
    ...['API', 'Control plane', 'Dashboard', 'Listens on', 'Control token', 'Header'],
  ]);
  const { origin, shown } = await rows('--public-url', 'https://sandbox.test');
  expect(shown).toEqual([
    ...['https://sandbox.test/v1', origin, undefined, 'starter', undefined, 'runs in wall time', undefined],
  ]);
});

test('the banner names the options that a loaded state leaves unused', async () => {
  const state = await temporaryFile('world.json');
  const first = startInProcess();
  await writeFile(state, JSON.stringify((await first.control('GET', '/state')).body));
  const notUsed = async (...flags: string[]) => {
    const { banner } = await startPrettyHere(['--state', state, ...flags]);
    return /^ {2}Not used +(.*)$/m.exec(banner)?.[1];
  };
  expect(await notUsed('--rate-limit', '5')).toBe(
    '--fixtures, --seed and --rate-limit, because the state file was loaded',
  );
});

test('the banner shows the clock of a saved world, not the one of the options', async () => {
  const state = await temporaryFile('world.json');
  const first = startInProcess({ seed: 3 });
  await first.control('POST', '/clock/freeze', { at: '2021-01-01T00:00:00Z' });
  await writeFile(state, JSON.stringify((await first.control('GET', '/state')).body));
  const rowsOf = async (...flags: string[]) => {
    const { banner } = await startPrettyHere([...flags, '--clock', '2030-01-01T00:00:00Z']);
    return ['Seed', 'Clock', 'Not used'].map(
      label => new RegExp(`^ {2}${label} +(.*)$`, 'm').exec(banner)?.[1],
    );
  };
  const clock = 'frozen at 2021-01-01T00:00:00.000Z, moves only when advanced';
  expect(await rowsOf('--fixtures', state, '--seed', '9')).toEqual([
    '3',
    clock,
    '--clock, because the fixture is a saved state',
  ]);
  expect(await rowsOf('--state', state)).toEqual([
    undefined,
    clock,
    '--fixtures, --seed and --clock, because the state file was loaded',
  ]);
});
