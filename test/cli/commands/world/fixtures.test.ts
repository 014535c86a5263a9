import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { fixtureJsonSchema } from '../../../../src/fixtures/file/json-schema.ts';
import { builtInNames, readFixture } from '../../../../src/fixtures/file/source.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'card-sandbox-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('fixtures init writes a valid file with a schema for editors', async () => {
  const file = join(await folder(), 'world.yaml');
  const made = await runInProcess(['fixtures', 'init', file]);
  expect(made).toMatchObject({ code: 0, stdout: `card-sandbox start --fixtures ${file} --watch\n` });
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/card-sandbox\.schema\.json\n# /);
  const schema = JSON.parse(await readFile(join(file, '../card-sandbox.schema.json'), 'utf8'));
  expect(schema).toMatchObject({ title: 'card-sandbox fixture', type: 'object' });
  expect(await runInProcess(['fixtures', 'validate', file])).toMatchObject({
    code: 0,
    stdout: `${file}: valid\n`,
  });
});

test('fixtures init overwrites nothing without --force', async () => {
  const file = join(await folder(), 'world.yaml');
  await writeFile(file, 'mine');
  expect(await runInProcess(['fixtures', 'init', file])).toMatchObject({
    code: 1,
    stderr: `error: ${file} already exists; --force overwrites it\n`,
  });
  expect(await readFile(file, 'utf8')).toBe('mine');
  const forced = await runInProcess(['fixtures', 'init', file, '--force', '--json']);
  expect(JSON.parse(forced.stdout)).toEqual({ file, schemaFile: join(file, '../card-sandbox.schema.json') });
  expect(await readFile(file, 'utf8')).toMatch(/^# yaml-language-server/);
});

test('fixtures validate prints every problem with file, line and a suggestion', async () => {
  const file = await temporaryFile('people.yaml');
  await writeFile(
    file,
    'cardholders:\n  - externalUserId: user_1\n    emial: mia@example.com\ncards:\n  - cardholderId: ch_x\n',
  );
  const { code, stdout, stderr } = await runInProcess(['fixtures', 'validate', 'empty', file]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`${file}:3: cardholders[0].emial: is unknown, did you mean "email"?`);
  const asJson = await runInProcess(['fixtures', 'validate', 'empty', file, '--json']);
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout)).toEqual({
    valid: false,
    problems: [{ file, line: 3, message: 'cardholders[0].emial: is unknown, did you mean "email"?' }],
  });
});

test('fixtures validate merges as start does', async () => {
  const file = await temporaryFile('people.yaml');
  await writeFile(
    file,
    'cardholders:\n  - { id: ch_mia, cardProgramId: prog_everyday, kycStatus: approved }\n',
  );
  expect((await runInProcess(['fixtures', 'validate', 'empty', file])).code).toBe(0);
});

test('fixtures schema prints a schema that accepts the built-in fixtures and refuses mistakes', async () => {
  const { stdout } = await runInProcess(['fixtures', 'schema']);
  const printed = JSON.parse(stdout);
  expect(printed).toEqual(JSON.parse(JSON.stringify(fixtureJsonSchema())));
  const schema = z.fromJSONSchema(printed);
  for (const name of builtInNames()) {
    const result = schema.safeParse(parse(readFixture(name).text));
    expect([name, result.error?.issues ?? []]).toEqual([name, []]);
  }
  expect(schema.safeParse({ cardholders: [{ emial: 'x' }] }).success).toBe(false);
  expect(schema.safeParse({ cards: [{ cardholderId: 'ch_x', status: 'lost' }] }).success).toBe(false);
});
