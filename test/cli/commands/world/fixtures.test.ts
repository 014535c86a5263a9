import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { fixtureJsonSchema } from '../../../../src/sandbox/fixtures/file/schema.ts';
import { builtInNames, readFixture } from '../../../../src/sandbox/fixtures/file/source.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const PACKAGE = fileURLToPath(new URL('../../../../dist/index.js', import.meta.url));

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'card-sandbox-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

/** The path of the schema in the first line of a fixture, from the folder of the file. */
async function schemaOf(file: string): Promise<string> {
  const [, path = ''] = /^# yaml-language-server: \$schema=(.*)\n# /.exec(await readFile(file, 'utf8')) ?? [];
  return path;
}

test('fixtures init writes a valid file that names its schema for editors', async () => {
  const file = join(await folder(), 'world.yaml');
  const made = await runInProcess(['fixtures', 'init', file]);
  expect(made).toMatchObject({ code: 0, stdout: `card-sandbox start --fixtures ${file} --watch\n` });
  const spaced = join(await folder(), 'our world.yaml');
  expect(await runInProcess(['fixtures', 'init', spaced])).toMatchObject({
    stdout: `card-sandbox start --fixtures '${spaced}' --watch\n`,
  });
  const schema = JSON.parse(await readFile(join(file, '..', await schemaOf(file)), 'utf8'));
  expect(schema).toMatchObject({ title: 'card-sandbox fixture', type: 'object' });
  expect(await runInProcess(['fixtures', 'validate', file])).toMatchObject({
    code: 0,
    stdout: `${file}: valid\n`,
  });
});

test.each(['world.json', 'world.ts', 'world.mjs'])('fixtures init does not write YAML as %s', async name => {
  const file = join(await folder(), name);
  expect(await runInProcess(['fixtures', 'init', file])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name a file that ends in .yaml'),
  });
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('in a project that has the package, fixtures init names the schema of that package', async () => {
  const project = await folder();
  await mkdir(join(project, 'node_modules/card-sandbox/schemas'), { recursive: true });
  await writeFile(join(project, 'node_modules/card-sandbox/schemas/fixture.json'), '{}');
  await mkdir(join(project, 'test'));
  const file = join(project, 'test/world.yaml');
  expect(await runInProcess(['fixtures', 'init', file])).toMatchObject({ code: 0 });
  expect(await schemaOf(file)).toBe('../node_modules/card-sandbox/schemas/fixture.json');
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
  expect(JSON.parse(forced.stdout)).toEqual({ file });
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
  // Editors would mark 19.99 as no multiple of 0.01.
  expect(stdout).not.toContain('multipleOf');
  const schema = z.fromJSONSchema(printed);
  for (const name of builtInNames()) {
    const result = schema.safeParse(parse(readFixture(name).text));
    expect([name, result.error?.issues ?? []]).toEqual([name, []]);
  }
  expect(schema.safeParse({ cardholders: [{ emial: 'x' }] }).success).toBe(false);
  expect(schema.safeParse({ cards: [{ cardholderId: 'ch_x', status: 'lost' }] }).success).toBe(false);
});

test('fixtures validate takes modules as start does', async () => {
  const file = await temporaryFile('people.mjs');
  const write = (body: string) =>
    writeFile(
      file,
      `import { defineFixture } from ${JSON.stringify(PACKAGE)};\nexport default defineFixture(${body});\n`,
    );
  await write('async ({ cardholders }) => void (await cardholders.create({ kycStatus: "approved" }))');
  expect(await runInProcess(['fixtures', 'validate', 'empty', file])).toMatchObject({
    code: 0,
    stdout: `empty + ${file}: valid\n`,
  });
});

test('fixtures validate names file and line of a problem in a module', async () => {
  const file = await temporaryFile('wrong.mjs');
  await writeFile(
    file,
    `import { defineFixture } from ${JSON.stringify(PACKAGE)};
export default defineFixture(async ({ cardholders, cards }) => {
  await cardholders.create({ id: 'ch_1' });
  await cardholders.createMany(2, index => ({
    id: \`ch_many_\${index}\`, emial: 'x',
  }));
  cards.delete(q => q.where({ id: 'card_x' }));
  await cardholders.update(q => q.where({ id: 'ch_1' }), { data(draft) { draft.kycStatus = 'aproved'; } });
  await cards.create({ cardholderId: 'ch_9', status: 'active' });
});
`,
  );
  const { code, stdout } = await runInProcess(['fixtures', 'validate', 'empty', file, '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    valid: false,
    problems: [
      { file, line: 4, message: 'cardholders[1].emial: is unknown, did you mean "email"?' },
      { file, line: 4, message: 'cardholders[2].emial: is unknown, did you mean "email"?' },
      { file, line: 8, message: expect.stringMatching(/^cardholders\[0\]\.kycStatus: .*"approved"/) },
    ],
  });
});

test.each([
  {
    problem: 'a reference that leads nowhere',
    code: `export default defineFixture(async ({ cards }) => {\n  await cards.create({ cardholderId: 'ch_9' });\n});`,
    line: 3,
    message: 'cards[0].cardholderId: there is no cardholder "ch_9"',
  },
  {
    problem: 'an error that its builder throws',
    code: `export default defineFixture(() => {\n  throw new Error('no data');\n});`,
    line: 3,
    message: 'no data',
  },
  {
    problem: 'an error while it is loaded',
    code: '\nconst x = nothing();\nexport default x;',
    line: 3,
    message: 'cannot be loaded: nothing is not defined',
  },
  {
    problem: 'a syntax error',
    code: `const x = 1;\nexport default defineFixture(() => { x..y };`,
    line: 3,
    message: 'cannot be loaded: ',
  },
])('fixtures validate names file and line of $problem in a module', async ({ code, line, message }) => {
  const file = await temporaryFile('wrong.mjs');
  await writeFile(file, `import { defineFixture } from ${JSON.stringify(PACKAGE)};\n${code}\n`);
  const { stdout } = await runInProcess(['fixtures', 'validate', 'empty', file, '--json']);
  expect(JSON.parse(stdout).problems).toEqual([{ file, line, message: expect.stringContaining(message) }]);
});
