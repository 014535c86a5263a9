import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';

/** `AsyncDisposable` exists in Node.js, but not in TypeScript's default libraries. */
const DISPOSABLE = /\bAsyncDisposable\b/;
const DISPOSABLE_LIBRARY = '/// <reference lib="esnext.disposable" />';
/** Where the code of a declaration starts, after its comment. */
const DECLARATION_START = /^(?:declare |abstract |function |class |interface |type |const )/m;
/** The specifier of a relative import. */
const RELATIVE_IMPORT = /( from '\.[^']*)\.js(';)$/gm;
const SHARED_IMPORT = /( from '\.\/types)\.js(';)$/gm;
/** The kinds of statements in a declaration file. */
const NAMED = /^(?:import|export) (?:type )?\{([^}]*)\}(?: from ['"]([^'"]+)['"])?;/;
const NAMESPACE = /^import (?:type )?\* as (\w+) from ['"]([^'"]+)['"]/;
const EVERYTHING = /^export (?:type )?\* from ['"]([^'"]+)['"]/;
const DECLARATION =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:function|class|interface|type|const|let|enum) (\w+)/;
/** The name of the file with the declarations of all modules that are not entry points. */
const SHARED = 'types';
const COMPILER = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/**
 * Writes the declarations of the entry points into a folder: a file for each, and one with those declarations of other
 * modules that they need. Those of entry points are written once for `import` and once for `require`. Throws when they need a package that
 * is not a peer dependency, and when two modules declare one name.
 *
 * The compiler emits one file per module, and most import zod for their schemas. An install has no zod, so shipping
 * these files would break every program that is compiled with `skipLibCheck: false`.
 */
export async function writeDeclarations(folder, entries, peers) {
  const emitted = mkdtempSync(join(tmpdir(), 'card-sandbox-types-'));
  try {
    await compile(emitted);
    const files = collect(emitted, entries, peers);
    const entryTexts = entries.map(entry => [entry, printEntry(files, entry, entries)]);
    for (const [file, statements] of [...entryTexts, [SHARED, printShared(files, entries)]]) {
      // Without `export {}`, declarations that are not exported could be imported.
      const lines = [...statements, 'export {};', ''];
      if (lines.some(line => DISPOSABLE.test(line))) lines.unshift(DISPOSABLE_LIBRARY);
      const text = lines.join('\n');
      // Both kinds of modules can import the types of a CommonJS module, so there is one file of the shared ones.
      if (file !== SHARED)
        writeFileSync(join(folder, `${file}.d.ts`), text.replaceAll(SHARED_IMPORT, '$1.cjs$2'));
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
    if (from.startsWith('.')) keep(moduleAt(file, from), name, trail);
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

/** Returns the needed statements of an entry point. What it imports from other modules is in the shared file. */
function printEntry(files, entry, entries) {
  const { statements, kept } = files.get(entry);
  const target = from => {
    if (!from.startsWith('.')) return from;
    const file = moduleAt(entry, from);
    return `./${entries.includes(file) ? file : SHARED}.js`;
  };
  return statements.flatMap(statement => {
    if (!kept.has(statement)) return [];
    const { kind, text, from, links } = statement;
    if (kind === 'declaration') return text;
    const type = /^(?:import|export) type /.test(text) ? 'type ' : '';
    const clause = from === undefined ? '' : ` from '${target(from)}'`;
    if (kind === 'everything') {
      return `export ${type}{ ${exportedNames(files, moduleAt(entry, from)).join(', ')} }${clause};`;
    }
    const needed = links.filter(link => kept.has(link));
    const [only] = needed;
    const isNamespace = only.imported === '*';
    return `${kind} ${type}${isNamespace ? `* as ${only.local}` : `{ ${needed.map(link => link.text).join(', ')} }`}${clause};`;
  });
}

/** Returns the needed declarations of all modules that are not entry points. Throws when two declare one name. */
function printShared(files, entries) {
  const declaredIn = new Map();
  const imports = new Set();
  const declarations = [];
  for (const [file, { statements, kept }] of files) {
    if (entries.includes(file)) continue;
    for (const { kind, name, text, from, links = [], ...rest } of statements.filter(each => kept.has(each))) {
      const renamed = links.find(link => link.imported !== link.local);
      if (renamed !== undefined) throw new Error(`${file} renames ${renamed.text}, which the types cannot`);
      if (kind === 'import' && !from.startsWith('.')) imports.add(text);
      if (kind !== 'declaration') continue;
      const other = declaredIn.get(name);
      if (other !== undefined) throw new Error(`${name} is declared in ${other} and in ${file}; rename one`);
      declaredIn.set(name, file);
      declarations.push(rest.exported ? text : text.replace(DECLARATION_START, 'export $&'));
    }
  }
  return [...imports, ...declarations];
}

/** The names that a module exports, its re-exports included. */
function exportedNames(files, file) {
  const { statements, kept } = files.get(file);
  return statements.flatMap(statement => {
    if (statement.kind === 'declaration') return statement.exported ? statement.name : [];
    if (statement.kind === 'everything') return exportedNames(files, moduleAt(file, statement.from));
    return statement.kind === 'export'
      ? statement.links.filter(link => kept.has(link)).map(({ local }) => local)
      : [];
  });
}

/** The module that a module imports from a path. */
function moduleAt(file, from) {
  return posix.join(posix.dirname(file), withoutExtension(from));
}

/** A path without the extension of a source file. */
function withoutExtension(path) {
  return path.replace(/\.[jt]s$/, '');
}

/**
 * Returns the statements of a declaration file of the compiler: each with its text, comments included, and its kind.
 * Every statement starts in the first column, all other lines are indented or close a block. (`typescript` has no stable
 * parser API since version 7.) Throws for an unknown kind of statement.
 */
function readStatements(text) {
  const statements = [];
  let current = [];
  for (const line of text.split('\n')) {
    const isFirst = /^(?:import|export|declare|interface|type|abstract|class|enum|\/\/\/? |\/\*\*)/.test(
      line,
    );
    if (isFirst && current.some(each => !isComment(each))) {
      statements.push(current.join('\n'));
      current = [];
    }
    if (line !== '' || current.length > 0) current.push(line);
  }
  if (current.some(each => !isComment(each))) statements.push(current.join('\n'));
  return statements.map(each => describe(each.trimEnd())).filter(each => each !== null);
}

function isComment(line) {
  return /^(?:\s*\/\/|\/\*\*| \*)/.test(line) || line === '';
}

function describe(text) {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').trim();
  // A module augmentation fills an interface of core, which no published type names.
  if (code === 'export {};' || code === '' || code.startsWith('declare module')) return null;
  const named = NAMED.exec(code);
  if (named !== null) return { text, kind: code.startsWith('import') ? 'import' : 'export', ...links(named) };
  const [, alias, whole] = NAMESPACE.exec(code) ?? [];
  if (alias !== undefined) {
    return { text, kind: 'import', from: whole, links: [{ imported: '*', local: alias, text: alias }] };
  }
  const [, from] = EVERYTHING.exec(code) ?? [];
  if (from !== undefined) return { text, kind: 'everything', from };
  const [, name] = DECLARATION.exec(code) ?? [];
  if (name === undefined) throw new Error(`a declaration of an unknown kind: ${code.slice(0, 100)}`);
  return { text, kind: 'declaration', name, exported: code.startsWith('export'), words: words(code) };
}

/** The names in the braces of an import or export: each with its name in the other file and in this one. */
function links([, braces, from]) {
  const parts = braces.split(',').flatMap(part => part.trim() || []);
  return {
    from,
    links: parts.map(text => {
      const [imported, local = imported] = text.replace(/^type /, '').split(' as ');
      return { text, imported, local };
    }),
  };
}

function words(code) {
  return new Set(code.match(/[A-Za-z_$][\w$]*/g));
}
