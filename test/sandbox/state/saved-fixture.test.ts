import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { isStateFile } from '../../../src/sandbox/state/state-file.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';
import { fixtureFile, temporaryFolder } from '../fixtures/fixture-files.ts';

test('a sandbox starts with a saved state, and a reset goes back to it', async () => {
  const first = await startSandbox({ clock: '2026-03-01T12:00:00Z' });
  const { body: person } = await first.api('POST', '/partner/cardholders', newCardholder());
  const file = fixtureFile(JSON.stringify((await first.control('GET', '/state')).body), 'saved.json');
  const { api, control } = await startSandbox({ fixtures: [file] });
  const people = async () => (await api('GET', '/partner/cardholders')).body.data;
  expect(await people()).toEqual([person]);
  await api('POST', '/partner/cardholders', newCardholder());
  await control('POST', '/reset');
  expect(await people()).toEqual([person]);
});

test.each([
  { saved: 'frozen', freeze: false, loaded: 'frozen' },
  { saved: 'running', freeze: false, loaded: 'running' },
  { saved: 'running', freeze: true, loaded: 'frozen' },
])('a $saved clock is $loaded when it is loaded with freeze: $freeze', async ({ saved, freeze, loaded }) => {
  const { control } = await startSandbox({ freeze: saved === 'frozen' });
  const file = fixtureFile(JSON.stringify((await control('GET', '/state')).body), 'saved.json');
  for (const source of [{ state: file }, { fixtures: [file] }]) {
    const sandbox = await startSandbox({ ...source, freeze, clock: undefined });
    expect((await sandbox.control('GET', '/clock')).body.mode).toBe(loaded);
    sandbox.stop();
  }
});

test('a saved state is used alone', async () => {
  const { control } = await startSandbox();
  const file = fixtureFile(JSON.stringify((await control('GET', '/state')).body), 'saved.json');
  await expect(startSandbox({ fixtures: ['starter', file] })).rejects.toThrow(
    `${file}: is a saved state, which is a whole world; use it alone, without other fixtures`,
  );
});

test('the record of a world is not taken for a damaged state', async () => {
  await using sandbox = createSandbox();
  const file = fixtureFile(await sandbox.history.export(), 'main.record.jsonl');
  await expect(startSandbox({ fixtures: [file] })).rejects.toThrow(
    `${file}: is the record of a world; card-sandbox open shows it, and run plays it`,
  );
});

test('a saved state that is damaged is refused with its name', async () => {
  const { control } = await startSandbox();
  const text = JSON.stringify((await control('GET', '/state')).body);
  const cutOff = fixtureFile(text.slice(0, -5), 'saved.json');
  await expect(startSandbox({ fixtures: [cutOff] })).rejects.toThrow(
    `${cutOff}: is a saved state that is cut short or damaged; use another copy of it`,
  );
  const twice = fixtureFile(text.replace('"version":', '"format":"x","version":'), 'saved.json');
  await expect(startSandbox({ fixtures: [twice] })).rejects.toThrow(
    `${twice}: is a saved state that has the key "format" twice in one object; keep one`,
  );
  const wrong = fixtureFile(text.replace('"version":', '"verzion":'), 'saved.json');
  await expect(startSandbox({ fixtures: [wrong] })).rejects.toThrow(`${wrong}: `);
});

test('a file is a saved state if it is an object with that format, wherever the format stands', () => {
  const folder = temporaryFolder();
  const check = (text: string) => {
    const file = join(folder, 'file.json');
    writeFileSync(file, text);
    return isStateFile(file);
  };
  expect(check('{"format": "card-sandbox-state"}')).toBe(true);
  expect(check('\n  {"format"\n:\t"card-sandbox-state"}')).toBe(true);
  for (const length of [64 * 1024 - 10, 64 * 1024 - 2, 200_000]) {
    expect(check(`{"a": "${'x'.repeat(length)}", "format": "card-sandbox-state"}`)).toBe(true);
  }
  expect(check('["format": "card-sandbox-state"]')).toBe(false);
  expect(check('# {"format": "card-sandbox-state"}')).toBe(false);
  expect(check('{"format": "card-sandbox-other"}')).toBe(false);
  expect(check('')).toBe(false);
  mkdirSync(join(folder, 'sub'));
  expect(isStateFile(join(folder, 'sub'))).toBe(false);
  expect(isStateFile(join(folder, 'none.json'))).toBe(false);
});
