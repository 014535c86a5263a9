import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startServer } from '../../src/index.ts';
import { runInProcess } from '../support/cli-in-process.ts';
import { ACME_KEY, type Json, startSandbox } from '../support/sandbox.ts';

/** One folder for each minor version, with the files that it wrote (`write.js`). */
const FOLDER = join(import.meta.dirname, 'formats');
const VERSIONS = readdirSync(FOLDER, { withFileTypes: true }).flatMap(entry =>
  entry.isDirectory() ? entry.name : [],
);

const read = (version: string, file: string) => readFileSync(join(FOLDER, version, file), 'utf8');

test('there are files of a version', () => {
  expect(VERSIONS).not.toEqual([]);
});

test.each(VERSIONS)('the state of version %s loads whole and continues', async version => {
  const document = JSON.parse(read(version, 'state.json'));
  const { control, api } = await startSandbox({ fixtures: [join(FOLDER, version, 'state.json')] });
  const { body } = await control('GET', '/state');
  expect(body.counts).toMatchObject(document.counts);
  expect(body.clock.now).toBe(document.clock.now);
  expect((await api('GET', '/partner/cards?status=active')).body.total).toBe(1);
  expect((await api('GET', '/partner/webhooks/events?status=failed')).body.total).toBe(1);
  expect((await control('POST', '/clock/advance', { duration: '8d' })).status).toBe(200);
  expect((await api('GET', '/partner/transactions?status=reversed')).body.total).toBe(1);
});

test.each(VERSIONS)('the bundle of version %s plays again, with the same responses', async version => {
  // What is played must not write into the repository.
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(FOLDER, version, 'bundle'), folder, { recursive: true });
  const { code, stdout, stderr } = await runInProcess(['run', folder]);
  expect(stdout + stderr).toMatch(/reproduced: (\d+) of \1 responses are the same/);
  expect(code).toBe(0);
});

test.each(VERSIONS)('the history and the scenario of version %s play', async version => {
  const { scenario, history } = { scenario: 'scenario.yaml', history: 'history.yaml' };
  for (const [file, fixtures] of [
    [scenario, 'starter'],
    [history, 'empty'],
  ] as const) {
    const { seed, clock } = { seed: 7, clock: '2026-03-15T10:00:00Z' };
    const { origin } = await startSandbox({ fixtures: [fixtures], seed, clock, retrySpeed: 1 });
    const path = join(FOLDER, version, file);
    const flags = ['--base-url', `${origin}/v1`, '--api-key', ACME_KEY, '--control-url', origin];
    const { code, stdout, stderr } = await runInProcess(['run', path, ...flags]);
    expect({ file, code, output: code === 0 ? '' : stdout + stderr }).toEqual({ file, code: 0, output: '' });
  }
});

test.each(VERSIONS)('the fixture of version %s loads', async version => {
  const { api } = await startSandbox({ fixtures: [join(FOLDER, version, 'fixture.yaml')] });
  const { cards } = parse(read(version, 'fixture.yaml')) as { cards: { id: string }[] };
  for (const { id } of cards.filter(each => !each.id.includes('globex'))) {
    expect((await api('GET', `/partner/cards/${id}`)).status, id).toBe(200);
  }
});

test.each(VERSIONS)('every setting in the profile of version %s applies', async version => {
  const { assume } = parse(read(version, 'profile.yaml')) as { assume: Record<string, unknown> };
  const { control } = await startSandbox({ profile: join(FOLDER, version, 'profile.yaml') });
  const register: Json[] = (await control('GET', '/assumptions')).body;
  const settings = register.flatMap(({ setting }) => (setting ? [[setting.name, setting.value]] : []));
  expect(Object.fromEntries(settings)).toMatchObject(assume);
});

test.each(VERSIONS)('every option in the configuration of version %s applies', async version => {
  const {
    port: _port,
    host: _host,
    'log-format': _format,
    ...written
  } = parse(read(version, 'card-sandbox.config.yaml'));
  const sandbox = await startServer({ config: join(FOLDER, version, 'card-sandbox.config.yaml') });
  onTestFinished(() => sandbox.close());
  const { options } = (await (await sandbox.fetch('/_sandbox/info')).json()) as { options: Json };
  const kebab = (name: string) => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  const applied = Object.fromEntries(Object.entries(options).map(([name, value]) => [kebab(name), value]));
  const { fixtures, ...others } = written;
  expect(applied).toMatchObject(others);
  expect(applied.fixtures).toEqual(fixtures.map((file: string) => join(FOLDER, version, file)));
});
