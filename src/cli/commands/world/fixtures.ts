import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fixtureJsonSchema } from '../../../fixtures/file/json-schema.ts';
import { FixtureError } from '../../../fixtures/file/problems.ts';
import { DEFAULT_FIXTURE, readFixture } from '../../../fixtures/file/read.ts';
import { createSandboxCore } from '../../../sandbox/sandbox.ts';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { Exit, FAILED } from '../../exit.ts';
import { writeWhole } from '../../output/response.ts';
import { printResult, progress } from '../../output/print.ts';

const SCHEMA_FILE = 'card-sandbox.schema.json';
const DEFAULT_FILE = 'card-sandbox.yaml';

interface JsonFlag {
  readonly json?: true;
}

/** Adds `fixtures init`, `fixtures validate` and `fixtures schema`, which need no running sandbox. */
export const addFixtures: AddCommands = program => {
  commandAt(program, ['fixtures']).description('Files that say what a world holds: begin one, check it.');
  commandAt(program, ['fixtures', 'init'])
    .description(`Write a commented fixture to begin with, and ${SCHEMA_FILE} for editors beside it.`)
    .argument('[file]', 'where to', DEFAULT_FILE)
    .option('--force', 'replace what is there')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', examples('fixtures init people.yaml', 'start --fixtures people.yaml --watch'))
    .action((file: string, flags: JsonFlag & { readonly force?: true }) => init(file, flags));
  commandAt(program, ['fixtures', 'validate'])
    .description(
      'Check fixtures as start would, merged in the order given; every problem with file and line.',
    )
    .argument('<file...>', 'files, or names of built-in fixtures')
    .option('--allow-http-webhooks', 'accept http:// webhook URLs, as start does with this flag')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', examples('fixtures validate empty ./people.yaml'))
    .action((files: readonly string[], flags: JsonFlag & { readonly allowHttpWebhooks?: true }) =>
      validate(files, flags),
    );
  commandAt(program, ['fixtures', 'schema'])
    .description('Print the format of fixtures as JSON Schema.')
    .option('--json', 'the same: it is JSON')
    .addHelpText('after', examples(`fixtures schema > ${SCHEMA_FILE}`))
    .action(() => printResult(schemaText()));
};

function schemaText(): string {
  return JSON.stringify(fixtureJsonSchema(), null, 2);
}

async function init(file: string, { force, json }: JsonFlag & { readonly force?: true }): Promise<void> {
  const schemaFile = join(dirname(file), SCHEMA_FILE);
  const schema = `${schemaText()}\n`;
  if (!force) {
    if (existsSync(file)) throw new Error(`${file} is there already; --force replaces it`);
    // Another fixture of the folder may have brought it, from this version or another.
    if (existsSync(schemaFile) && readFileSync(schemaFile, 'utf8') !== schema) {
      throw new Error(`${schemaFile} is there already and is another; --force replaces it`);
    }
  }
  const { text } = readFixture(DEFAULT_FIXTURE);
  writeWhole(file, `# yaml-language-server: $schema=./${SCHEMA_FILE}\n${text}`);
  writeWhole(schemaFile, schema);
  if (json) return printResult(JSON.stringify({ file, schemaFile }));
  progress(`${file} is written, and ${schemaFile}, by which editors complete it`);
  await printResult(`card-sandbox start --fixtures ${quoted(file)} --watch`);
}

/** A path as it can be pasted, and taken for no built-in name. */
function quoted(file: string): string {
  const path = basename(file) === file ? `./${file}` : file;
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

async function validate(
  fixtures: readonly string[],
  { json, allowHttpWebhooks }: JsonFlag & { readonly allowHttpWebhooks?: true },
): Promise<void> {
  const problems = problemsOf(fixtures, allowHttpWebhooks);
  if (json)
    await printResult(JSON.stringify({ valid: problems.length === 0, problems: problems.map(parsed) }));
  else if (problems.length > 0) throw new FixtureError(problems);
  else await printResult(`${fixtures.join(' + ')}: valid`);
  if (problems.length > 0) throw new Exit(FAILED);
}

function problemsOf(fixtures: readonly string[], allowHttpWebhooks: true | undefined): readonly string[] {
  try {
    // Some mistakes only show when a world is made of the records.
    createSandboxCore({ fixtures, allowHttpWebhooks, freeze: true }).stop();
    return [];
  } catch (error) {
    if (error instanceof FixtureError) return error.all;
    throw error;
  }
}

/** `file:line: message` in its parts; a problem of no line has only a message. */
function parsed(problem: string): { file: string | null; line: number | null; message: string } {
  const [, file, line, message] = /^(.+?):(\d+):(?:\d+:)? (.*)$/s.exec(problem) ?? [];
  if (file === undefined) return { file: null, line: null, message: problem };
  return { file, line: Number(line), message: message ?? '' };
}
