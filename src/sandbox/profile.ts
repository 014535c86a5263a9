import { existsSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Observation } from '../core/world/world.ts';
import { FixtureError } from './fixtures/file/fixture-error.ts';
import { parseFile } from './fixtures/file/parse.ts';
import { type CoreOptions, OptionError } from './options.ts';
import { ProfileFile } from './profile-schema.ts';

/** Options with those of a profile filled in, and what the profile observed. */
export interface Profiled {
  readonly options: CoreOptions;
  readonly observations: Readonly<Record<string, Observation>>;
}

/**
 * Reads the profile that the options name, if any. Names and settings of the options win over those of the profile.
 * Throws an OptionError for a file that cannot be read, and a FixtureError with file and line for one that is invalid.
 */
export function withProfile(options: CoreOptions): Profiled {
  const { profile: file } = options;
  if (typeof file !== 'string') return { options, observations: {} };
  const { names, assume } = readProfile(file);
  return {
    options: { ...options, names: { ...names, ...options.names }, assume: { ...assume, ...options.assume } },
    observations: readObservations(file),
  };
}

/** The file beside a profile with the evidence for its settings: `acme.evidence.yaml` for `acme.yaml`. */
export function evidenceFileOf(profile: string): string {
  const { dir, name, ext } = parse(profile);
  return join(dir, `${name}.evidence${ext}`);
}

/** Reads what a profile and the evidence beside it observed. A profile need not have evidence. Throws like `withProfile`. */
export function readObservations(file: string): Readonly<Record<string, Observation>> {
  const evidence = evidenceFileOf(file);
  const beside = existsSync(evidence) ? readProfile(evidence).observations : {};
  return { ...beside, ...readProfile(file).observations };
}

/** Reads a profile. Throws like `withProfile`. */
export function readProfile(file: string): ProfileFile {
  try {
    return parseFile({ name: file, text: textOf(file) }, ProfileFile, value => value ?? {}).content;
  } catch (error) {
    throw error instanceof FixtureError
      ? new FixtureError(error.all, error.omitted, 'the profile is')
      : error;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
    throw new OptionError('profile', `names ${JSON.stringify(file)}, but ${reason}`);
  }
}
