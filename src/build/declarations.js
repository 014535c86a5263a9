import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { readStatements } from './declaration-file.js';

/** What can be disposed of is known to Node.js, but not to the libraries that compilers take by default. */
const DISPOSABLE = /\bAsyncDisposable\b/;
const DISPOSABLE_LIBRARY = '/// <reference lib="esnext.disposable" />';
const COMPILER = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/**
 * Writes the declarations of the entries into a folder, and of other files the parts that these lean on; nothing else
 * of the source shows. Throws when they lean on a package that is not a peer, such as zod: those who install this one
 * do not have it.
 */
export async function writeDeclarations(folder, entries, peers) {
  const emitted = mkdtempSync(join(tmpdir(), 'card-sandbox-types-'));
  try {
    await compile(emitted);
    const files = collect(emitted, entries, peers);
    for (const [file, { statements, kept }] of files) {
      // The last line keeps what is not exported from being importable all the same.
      const lines = [...statements.flatMap(statement => write(statement, kept) ?? []), 'export {};', ''];
      if (lines.some(line => DISPOSABLE.test(line))) lines.unshift(DISPOSABLE_LIBRARY);
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, `${file}.d.ts`), lines.join('\n'));
    }
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

async function compile(outDir) {
  const config = join(import.meta.dirname, 'tsconfig.json');
  try {
    await promisify(execFile)(process.execPath, [COMPILER, '--project', config, '--outDir', outDir]);
  } catch (error) {
    throw new Error(`the declarations cannot be written:\n${error.stdout}${error.stderr}`);
  }
}

/** The files that the entries reach, and which of their statements and names are needed: those in `kept`. */
function collect(folder, entries, peers) {
  const files = new Map();
  const open = file => {
    const known = files.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(join(folder, `${file}.d.ts`), 'utf8');
    const opened = { statements: readStatements(text), kept: new Set(), wanted: new Set() };
    files.set(file, opened);
    return opened;
  };
  /** Follows a name to the file that it comes from. */
  const follow = (file, from, name, trail) => {
    if (from.startsWith('.')) want(posix.join(posix.dirname(file), bare(from)), name, trail);
    else if (!from.startsWith('node:') && !peers.includes(from)) {
      throw new Error(`the public types must not lean on ${from}, but do: ${trail.join(' > ')}`);
    }
  };
  /** Keeps what a name stands for in a file, and all that it mentions; `*` stands for all that the file exports. */
  const want = (file, name, trail) => {
    const { statements, kept, wanted } = open(file);
    if (wanted.has(name)) return;
    wanted.add(name);
    const further = [...trail, `${file} ${name}`];
    for (const statement of statements) {
      if (statement.kind === 'everything') {
        kept.add(statement);
        follow(file, statement.from, name, further);
      } else if (statement.kind === 'declaration') {
        const meant = name === '*' ? statement.exported : statement.name === name;
        if (!meant || kept.has(statement)) continue;
        kept.add(statement);
        for (const word of statement.words) want(file, word, further);
      } else {
        for (const link of statement.links) {
          const meant = name === '*' ? statement.kind === 'export' : link.inside === name;
          if (!meant || kept.has(link)) continue;
          kept.add(statement).add(link);
          if (statement.from !== undefined) follow(file, statement.from, link.outside, further);
          else want(file, link.outside, further);
        }
      }
    }
  };
  for (const entry of entries) want(entry, '*', []);
  return files;
}

/** A statement as it is shipped; undefined for one that is not needed. */
function write(statement, kept) {
  if (!kept.has(statement)) return undefined;
  const { kind, text, from, links } = statement;
  if (kind === 'declaration') return text;
  const target = from === undefined ? '' : ` from '${from.startsWith('.') ? `${bare(from)}.js` : from}'`;
  if (kind === 'everything') return text.replace(/ from .*$/, `${target};`);
  const needed = links.filter(link => kept.has(link));
  const type = /^(?:import|export) type /.test(text) ? 'type ' : '';
  const [only] = needed;
  const names =
    only.outside === '*' ? `* as ${only.inside}` : `{ ${needed.map(link => link.text).join(', ')} }`;
  return `${kind} ${type}${names}${target};`;
}

/** A path without the ending of a source file. */
function bare(path) {
  return path.replace(/\.[jt]s$/, '');
}
