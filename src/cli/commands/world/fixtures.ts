import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildFixtures } from '../../../fixtures/define/build-fixtures.ts';
import { FixtureError } from '../../../fixtures/file/fixture-error.ts';
import { fixtureJsonSchema } from '../../../fixtures/file/json-schema.ts';
import { DEFAULT_FIXTURE, readFixture } from '../../../fixtures/file/source.ts';
import { DEFAULT_SEED } from '../../../sandbox/options.ts';
import { createSandboxCore } from '../../../sandbox/sandbox.ts';
import { shellWord } from '../../../values/shell.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { Exit, FAILED } from '../../exit.ts';
import { printResult, progress } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';

const SCHEMA_FILE = 'card-sandbox.schema.json';
const DEFAULT_FILE = 'card-sandbox.yaml';

interface InitFlags {
  readonly force?: true;
  readonly json?: true;
}

interface ValidateFlags {
  readonly allowHttpWebhooks?: true;
  readonly json?: true;
}

/** Adds `fixtures init`, `fixtures validate` and `fixtures schema`, which need no running sandbox. */
export const add: AddCommand = program => {
  commandAt(program, ['fixtures']).description('Create and validate fixture files.');
  commandAt(program, ['fixtures', 'init'])
    .description(`Write a commented example fixture, and ${SCHEMA_FILE} for editors next to it.`)
    .argument('[file]', 'path of the new file', DEFAULT_FILE)
    .option('--force', 'overwrite existing files')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', examples('fixtures init people.yaml', 'start --fixtures people.yaml --watch'))
    .action((file: string, flags: InitFlags) => init(file, flags));
  commandAt(program, ['fixtures', 'validate'])
    .description('Validate fixtures as start does, merged in order; prints every problem with file and line.')
    .argument('<file...>', 'files, modules, or names of built-in fixtures')
    .option('--allow-http-webhooks', 'accept http:// webhook URLs, as start does with this flag')
    .option('--json', 'print JSON, for programs')
    .addHelpText(
      'after',
      examples('fixtures validate empty ./people.yaml', 'fixtures validate empty ./people.mjs'),
    )
    .action((files: readonly string[], flags: ValidateFlags) => validate(files, flags));
  commandAt(program, ['fixtures', 'schema'])
    .description('Print the JSON Schema of fixture files.')
    .option('--json', 'no effect: the output is always JSON')
    .addHelpText('after', examples(`fixtures schema > ${SCHEMA_FILE}`))
    .action(() => printResult(schemaText()));
};

function schemaText(): string {
  return JSON.stringify(fixtureJsonSchema(), null, 2);
}

async function init(file: string, { force, json }: InitFlags): Promise<void> {
  const schemaFile = join(dirname(file), SCHEMA_FILE);
  const schema = `${schemaText()}\n`;
  if (!force) {
    if (existsSync(file)) throw new Error(`${file} already exists; --force overwrites it`);
    // An earlier `init` in the same folder may have written it, perhaps with another version.
    if (existsSync(schemaFile) && readFileSync(schemaFile, 'utf8') !== schema) {
      throw new Error(`${schemaFile} already exists with other content; --force overwrites it`);
    }
  }
  const { text } = readFixture(DEFAULT_FIXTURE);
  await writeAtomically(file, `# yaml-language-server: $schema=./${SCHEMA_FILE}\n${text}`);
  await writeAtomically(schemaFile, schema);
  if (json) return printResult(JSON.stringify({ file, schemaFile }));
  progress(`wrote ${file}, and ${schemaFile} for completion in editors`);
  await printResult(`card-sandbox start --fixtures ${pathWord(file)} --watch`);
}

/** Quotes a path for a shell, in a form that is not mistaken for a built-in name. */
function pathWord(file: string): string {
  return shellWord(basename(file) === file ? `./${file}` : file);
}

async function validate(
  fixtures: readonly string[],
  { json, allowHttpWebhooks }: ValidateFlags,
): Promise<void> {
  const problems = await problemsOf(fixtures, allowHttpWebhooks);
  const isValid = problems.length === 0;
  if (json) await printResult(JSON.stringify({ valid: isValid, problems: problems.map(parsed) }));
  else if (isValid) await printResult(`${fixtures.join(' + ')}: valid`);
  else throw new FixtureError(problems);
  if (!isValid) throw new Exit(FAILED, 'the fixtures are invalid; correct what problems of the result lists');
}

async function problemsOf(
  fixtures: readonly string[],
  allowHttpWebhooks: true | undefined,
): Promise<readonly string[]> {
  try {
    const built = await buildFixtures(fixtures, DEFAULT_SEED);
    // Some problems show only when the records are loaded into a world.
    createSandboxCore({ fixtures: built, allowHttpWebhooks, freeze: true }).stop();
    return [];
  } catch (error) {
    if (error instanceof FixtureError) return error.all;
    throw error;
  }
}

/** Splits `file:line: message`; a problem without a line has only a message. */
function parsed(problem: string): { file: string | null; line: number | null; message: string } {
  const [, file, line, message] = /^(.+?):(\d+):(?:\d+:)? (.*)$/s.exec(problem) ?? [];
  if (file === undefined) return { file: null, line: null, message: problem };
  return { file, line: Number(line), message: message ?? '' };
}
