import { dirname, isAbsolute, join } from 'node:path';
import { camelCase } from '../core/values/kebab.ts';
import { ConfigFile } from './config-schema.ts';
import { FixtureError } from './fixtures/file/fixture-error.ts';
import { parseFile } from './fixtures/file/parse.ts';
import { isBuiltInFixture } from './fixtures/file/source.ts';
import { type CoreOptions, OPTIONS, OptionError } from './options.ts';
import { readTextFile, TextFileError } from './text-file.ts';

/** The options in a configuration file that are paths, seen from the folder of the file. */
const PATHS = ['fixtures', 'state', 'webhookCa', 'scenarios'];

/** The options in a configuration file that only `start` takes: what others started beside it could not share. */
const OF_START = ['port', 'state', 'watch', 'logFormat', 'publicUrl'];

/** The options in a configuration file to which those given elsewhere add instead of replacing them. */
export const ADDED = ['assume', 'names'] as const;

/**
 * Reads a configuration file. Returns its options by their names in code, with paths that are valid from the working
 * folder, and `config`, the file. Leaves out what belongs to `start` alone unless `isStart` is true. Throws an
 * OptionError for a file that cannot be read, and a FixtureError with file and line for one that is invalid.
 */
export function readConfig(file: string, isStart = false): Readonly<Record<string, unknown>> {
  const entries = Object.entries(parseConfig(file)).flatMap(([member, value]) => {
    const name = camelCase(member);
    if (member === '$schema' || value === undefined || (!isStart && OF_START.includes(name))) return [];
    return [[name, PATHS.includes(name) ? fromFolder(dirname(file), name, value) : value]];
  });
  return { ...Object.fromEntries(entries), config: file };
}

/** The options given win; `assume` and `names` of both are merged. Throws like `readConfig`. */
export function withConfig<Options extends Pick<CoreOptions, 'config' | (typeof ADDED)[number]>>(
  given: Options,
): Options {
  if (typeof given.config !== 'string') return given;
  const read = readConfig(given.config);
  const names = Object.keys(OPTIONS).filter(name => Object.hasOwn(read, name));
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  const added = ADDED.map(name => [name, { ...Object(read[name]), ...given[name] }] as const);
  const merged = Object.fromEntries([...names.map(name => [name, read[name]] as const), ...own, ...added]);
  // Object.fromEntries does not keep the types of names and values, which the schema of the file has checked.
  return merged as unknown as Options;
}

function fromFolder(folder: string, name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(each => fromFolder(folder, name, each));
  const path = String(value);
  if (isAbsolute(path) || (name === 'fixtures' && isBuiltInFixture(path))) return path;
  return join(folder, path);
}

function parseConfig(file: string): ConfigFile {
  try {
    return parseFile({ name: file, text: textOf(file) }, ConfigFile, value => value ?? {}).content;
  } catch (error) {
    throw error instanceof FixtureError ? new FixtureError(error.all, error.omitted, 'config') : error;
  }
}

function textOf(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    if (!(error instanceof TextFileError)) throw error;
    const isMissing = error.code === 'ENOENT';
    const reason = isMissing ? `but ${error.message}` : `which cannot be read: ${error.message}`;
    throw new OptionError('config', `names ${JSON.stringify(file)}, ${reason}`);
  }
}
