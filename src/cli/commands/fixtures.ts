import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { shellWord } from '../../core/values/text.ts';
import { buildFixtures } from '../../sandbox/fixtures/define/build-fixtures.ts';
import { FixtureError } from '../../sandbox/fixtures/file/fixture-error.ts';
import { fixtureJsonSchema } from '../../sandbox/fixtures/file/schema.ts';
import {
  DEFAULT_FIXTURE,
  isModulePath,
  packagePath,
  readFixture,
} from '../../sandbox/fixtures/file/source.ts';
import { OPTIONS } from '../../sandbox/options.ts';
import { createSandboxCore } from '../../sandbox/sandbox.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { Exit, FAILED, UsageError } from '../errors.ts';
import { path } from '../flags.ts';
import { printResult, progress } from '../output/print.ts';
import { writeAtomically } from '../output/write-file.ts';

/** The JSON Schema of fixtures in the package, and the line of a file that names it. */
const SCHEMA = 'schemas/fixture.json';
const SCHEMA_LINE = /^(# yaml-language-server: \$schema=).*/;
const DEFAULT_FILE = 'card-sandbox.yaml';

interface InitFlags {
  readonly force?: true;
  readonly json?: true;
}

interface ValidateFlags {
  readonly allowHttpWebhooks?: true;
  readonly json?: true;
}

export const add: AddCommand = program => {
  commandAt(program, ['fixtures']).description('Create and validate fixture files.');
  commandAt(program, ['fixtures', 'init'])
    .description('Write a commented example fixture, which editors complete and validate.')
    .argument('[file]', 'path of the new file', path, DEFAULT_FILE)
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
    .addHelpText('after', examples('fixtures schema > fixture.schema.json'))
    .action(() => printResult(JSON.stringify(fixtureJsonSchema(), null, 2)));
};

async function init(file: string, { force, json }: InitFlags): Promise<void> {
  if (file.endsWith('.json') || isModulePath(file)) {
    throw new UsageError(
      `${file} is not a name for YAML, which the example is; name a file that ends in .yaml`,
    );
  }
  if (!force && existsSync(file)) throw new Error(`${file} already exists; --force overwrites it`);
  const text = readFixture(DEFAULT_FIXTURE).text.replace(SCHEMA_LINE, `$1${schemaPathFrom(dirname(file))}`);
  await writeAtomically(file, text);
  if (json) return printResult(JSON.stringify({ file }));
  progress(`wrote ${file}`);
  await printResult(`card-sandbox start --fixtures ${pathWord(file)} --watch`);
}

/** Returns the path of the schema from a folder: in the package of its project, or else in this installation. */
function schemaPathFrom(folder: string): string {
  const path = relative(resolve(folder), schemaNear(resolve(folder))).replaceAll(sep, '/');
  return path.startsWith('.') ? path : `./${path}`;
}

function schemaNear(folder: string): string {
  const path = join(folder, 'node_modules/card-sandbox', SCHEMA);
  if (existsSync(path)) return path;
  return dirname(folder) === folder ? packagePath(SCHEMA) : schemaNear(dirname(folder));
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
  if (json) await printResult(JSON.stringify({ valid: isValid, problems: problems.map(splitProblem) }));
  else if (isValid) await printResult(`${fixtures.join(' + ')}: valid`);
  else throw new FixtureError(problems);
  if (!isValid) throw new Exit(FAILED, 'the fixtures are invalid; correct what problems of the result lists');
}

async function problemsOf(
  fixtures: readonly string[],
  allowHttpWebhooks: true | undefined,
): Promise<readonly string[]> {
  try {
    const built = await buildFixtures(fixtures, OPTIONS.seed.initial);
    // Some problems show only when the records are loaded into a world.
    createSandboxCore({ fixtures: built, allowHttpWebhooks, freeze: true }).stop();
    return [];
  } catch (error) {
    if (error instanceof FixtureError) return error.all;
    throw error;
  }
}

/** Splits `file:line: message`; a problem without a line has only a message. */
function splitProblem(problem: string): { file: string | null; line: number | null; message: string } {
  const [, file, line, message] = /^(.+?):(\d+):(?:\d+:)? (.*)$/s.exec(problem) ?? [];
  if (file === undefined) return { file: null, line: null, message: problem };
  return { file, line: Number(line), message: message ?? '' };
}
