import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { readStatements } from './declaration-file.js';

/** `AsyncDisposable` exists in Node.js, but not in TypeScript's default libraries. */
const DISPOSABLE = /\bAsyncDisposable\b/;
const DISPOSABLE_LIBRARY = '/// <reference lib="esnext.disposable" />';
/** The specifier of a relative import. */
const RELATIVE_IMPORT = /( from '\.[^']*)\.js(';)$/gm;
const COMPILER = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/**
 * Writes the declarations of the entry points into a folder, with only those declarations of other files that they
 * need: once for `import`, and once for `require`. Throws when they need a package that is not a peer dependency.
 *
 * The compiler emits one file per module, and most import zod for their schemas. An install has no zod, so shipping
 * these files would break every program that is compiled with `skipLibCheck: false`.
 */
export async function writeDeclarations(folder, entries, peers) {
  const emitted = mkdtempSync(join(tmpdir(), 'card-sandbox-types-'));
  try {
    await compile(emitted);
    const files = collect(emitted, entries, peers);
    for (const [file, { statements, kept }] of files) {
      // Without `export {}`, declarations that are not exported could be imported.
      const lines = [...statements.flatMap(statement => print(statement, kept) ?? []), 'export {};', ''];
      if (lines.some(line => DISPOSABLE.test(line))) lines.unshift(DISPOSABLE_LIBRARY);
      const text = lines.join('\n');
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, `${file}.d.ts`), text);
      writeFileSync(join(folder, `${file}.d.cts`), text.replaceAll(RELATIVE_IMPORT, '$1.cjs$2'));
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
    throw new Error(`the declarations cannot be compiled:\n${error.stdout}${error.stderr}`);
  }
}

/** Finds the files that the entry points need. `kept` of each holds its needed statements and names. */
function collect(folder, entries, peers) {
  const files = new Map();
  const open = file => {
    if (!files.has(file)) {
      const text = readFileSync(join(folder, `${file}.d.ts`), 'utf8');
      files.set(file, { statements: readStatements(text), kept: new Set(), visited: new Set() });
    }
    return files.get(file);
  };
  /** Follows an import of a name to its file. */
  const follow = (file, from, name, trail) => {
    if (from.startsWith('.')) keep(posix.join(posix.dirname(file), withoutExtension(from)), name, trail);
    else if (!from.startsWith('node:') && !peers.includes(from)) {
      throw new Error(`the public types must not need ${from}, but do: ${trail.join(' > ')}`);
    }
  };
  /** Keeps the declaration of a name in a file, and everything that it mentions. `*` keeps all exports. */
  const keep = (file, name, trail) => {
    const { statements, kept, visited } = open(file);
    if (visited.has(name)) return;
    visited.add(name);
    const path = [...trail, `${file} ${name}`];
    for (const statement of statements) {
      if (statement.kind === 'everything') {
        kept.add(statement);
        follow(file, statement.from, name, path);
      } else if (statement.kind === 'declaration') {
        const matches = name === '*' ? statement.exported : statement.name === name;
        if (!matches || kept.has(statement)) continue;
        kept.add(statement);
        for (const word of statement.words) keep(file, word, path);
      } else {
        for (const link of statement.links) {
          const matches = name === '*' ? statement.kind === 'export' : link.local === name;
          if (!matches || kept.has(link)) continue;
          kept.add(statement).add(link);
          if (statement.from !== undefined) follow(file, statement.from, link.imported, path);
          else keep(file, link.imported, path);
        }
      }
    }
  };
  for (const entry of entries) keep(entry, '*', []);
  return files;
}

/** The text of a statement with only its needed names; undefined if none is needed. */
function print(statement, kept) {
  if (!kept.has(statement)) return undefined;
  const { kind, text, from, links } = statement;
  if (kind === 'declaration') return text;
  const target =
    from === undefined ? '' : ` from '${from.startsWith('.') ? `${withoutExtension(from)}.js` : from}'`;
  if (kind === 'everything') return text.replace(/ from .*$/, `${target};`);
  const needed = links.filter(link => kept.has(link));
  const type = /^(?:import|export) type /.test(text) ? 'type ' : '';
  const [only] = needed;
  const names =
    only.imported === '*' ? `* as ${only.local}` : `{ ${needed.map(link => link.text).join(', ')} }`;
  return `${kind} ${type}${names}${target};`;
}

/** A path without the extension of a source file. */
function withoutExtension(path) {
  return path.replace(/\.[jt]s$/, '');
}
