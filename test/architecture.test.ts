import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../src');

/**
 * What the files of a room may import, besides those of the same room: paths below `src`, each a folder or a file, and
 * packages. docs/architecture.md explains the table.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: ['zod'],
  service: ['core', 'zod'],
  control: ['core', 'service', 'zod', 'yaml'],
  sandbox: ['core', 'service', 'control', 'zod', 'yaml', 'undici', '@faker-js/faker', '@msw/data'],
  client: ['core/values'],
  server: [
    'sandbox',
    'control',
    'client',
    'service',
    'core',
    'express',
    'yaml',
    'zod',
    '@modelcontextprotocol/sdk',
  ],
  // Scenario files are read like fixtures, with line numbers in messages and built-in names. Neither room may import the
  // other, and a third one would hold nothing else.
  tools: [
    ...['client', 'core/values', 'core/redaction', 'control/history/record'],
    ...['sandbox/fixtures/file', 'yaml', 'zod'],
    ...['service/assumptions', 'service/webhooks/event-types.ts'],
  ],
  dashboard: [
    ...['preact', 'preact/hooks', '@preact/signals', 'vite', 'client/http.ts'],
    // Modules without schemas, which bring nothing else into the page.
    ...['sandbox/valid-inputs.ts', 'core/values/display.ts'],
    ...['service/transactions/decline-reasons.ts', 'service/webhooks/event-types.ts'],
    'service/webhooks/fault-kinds.ts',
  ],
  cli: [
    ...['tools', 'server', 'client', 'sandbox', 'control', 'service', 'core'],
    ...['commander', 'chalk', 'fast-string-truncated-width', 'zod'],
  ],
  // The generation of files; the build itself is JavaScript.
  build: ['cli', 'tools', 'server', 'client', 'sandbox', 'control', 'service', 'core', 'commander', 'zod'],
  // Hands the tools to the sandboxes of a program, as cli does to those of a command.
  'index.ts': ['server', 'client', 'sandbox', 'tools'],
  'msw.ts': ['client', 'core/values/parse-url.ts', 'msw'],
  'vitest.ts': ['index.ts', 'server', 'client', 'vitest'],
};
/** From where a room may import types besides, which the build erases. */
const MAY_IMPORT_TYPES: Record<string, readonly string[]> = {
  client: ['core', 'service', 'control', 'sandbox'],
  dashboard: ['client', 'core', 'service', 'control'],
  // What disturbs worlds is data, which the exam writes and sandboxes apply.
  tools: ['sandbox/disturbance/plan.ts'],
};
/** Rooms whose subfolders do not import each other. */
const SEPARATE = ['tools'];
/** Arrows against the table that are not mended yet. */
const PENDING: readonly string[] = [];

/** The modules made for wall time, randomness and the environment. */
const SYSTEM_FILES = [
  'core/time/realtime.ts',
  'core/values/builtins.ts',
  'core/values/random.ts',
  // Programs that receive webhooks call it, without a sandbox.
  'client/verify-webhook.ts',
  'dashboard/browser.ts',
];
const SYSTEM_FOLDERS = ['server/', 'cli/', 'sandbox/transport/'];
/**
 * What others replace among the globals: libraries of fake timers, DOM environments, polyfills. Code that runs in Node.js
 * imports it from a module of Node.js, or from the first of these files, which has it as it was when the package was
 * loaded.
 */
const REPLACEABLE =
  'AbortController AbortSignal Blob Buffer DOMException Date Error Event EventTarget File FormData Headers MessageChannel ' +
  'ReadableStream Request Response TextDecoder TextEncoder TransformStream URL URLSearchParams WritableStream atob btoa ' +
  'clearImmediate clearInterval clearTimeout crypto fetch performance queueMicrotask setImmediate setInterval setTimeout ' +
  'structuredClone';
const MAY_USE_GLOBALS = [
  'core/values/builtins.ts',
  // Code for browsers and for programs of users, as text.
  'cli/commands/init/first-test.ts',
];
const ROOMS_OUTSIDE_NODE = ['dashboard', 'build'];

const SYSTEM =
  /\bDate\.now\b|\bnew Date(?:\(\)|(?!\())|\bMath\.random\b|\bset(?:Timeout|Interval|Immediate)\(|\bperformance\b|\brandomBytes\b|\bprocess\.env\b/;

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isTypeOnly: boolean;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => /\.tsx?$/.test(file));
const textOf = (file: string) => readFileSync(join(SOURCE, file), 'utf8');
const imports: Import[] = files.flatMap(file =>
  [
    ...textOf(file).matchAll(/(?:^|\n)(import|export)( type)?[^;'"]*? from '([^']+)'|import\('([^']+)'\)/g),
  ].map(([, , type, statically, lazily]) => {
    const target = statically ?? lazily ?? '';
    const resolved = target.startsWith('.') ? posix.join(posix.dirname(file), target) : target;
    return { file, target: resolved, isTypeOnly: type !== undefined };
  }),
);
const room = (path: string) => path.split('/')[0] ?? path;
const section = (path: string) => path.split('/').slice(0, 2).join('/');

/** Returns the nodes that depend on themselves, directly or through others. */
function nodesInCircles(arrows: readonly (readonly [string, string])[]): string[] {
  const targets = new Map<string, string[]>();
  for (const [from, to] of arrows) targets.set(from, [...(targets.get(from) ?? []), to]);
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    (targets.get(from) ?? []).some(
      next => next === goal || (!seen.has(next) && reaches(next, goal, seen.add(next))),
    );
  return [...targets.keys()].filter(each => reaches(each, each));
}

function mayImport({ file, target, isTypeOnly }: Import): boolean {
  if (target.startsWith('node:') || target.startsWith('../')) return true;
  const from = room(file);
  if (room(target) === from) {
    return !SEPARATE.includes(from) || section(file) === section(target) || section(target).endsWith('.ts');
  }
  const allowed = [...(MAY_IMPORT[from] ?? []), ...((isTypeOnly && MAY_IMPORT_TYPES[from]) || [])];
  return allowed.some(each => target === each || (!each.endsWith('.ts') && target.startsWith(`${each}/`)));
}

test('each room imports only what the table allows', () => {
  // The test reads imports at all.
  expect(imports).toContainEqual({ file: 'cli/main.ts', target: 'cli/program.ts', isTypeOnly: false });
  const wrong = imports.filter(each => !mayImport(each)).map(({ file, target }) => `${file} -> ${target}`);
  expect(
    wrong.filter(each => !PENDING.includes(each)),
    'see the table in docs/architecture.md',
  ).toEqual([]);
  expect(
    PENDING.filter(each => !wrong.includes(each)),
    'mended: remove it from PENDING',
  ).toEqual([]);
});

test('a resource imports no operations of another', () => {
  const wrong = imports.filter(
    ({ file, target }) =>
      room(file) === 'service' &&
      room(target) === 'service' &&
      section(file) !== section(target) &&
      target.endsWith('/operations.ts'),
  );
  expect(wrong, 'a resource uses another through its schema, records and rules').toEqual([]);
});

test('neither files nor resources depend on each other in a circle, type imports included', () => {
  expect(nodesInCircles(imports.map(({ file, target }) => [file, target]))).toEqual([]);
  const resources = imports
    .filter(({ file, target }) => room(file) === 'service' && room(target) === 'service')
    .map(({ file, target }): [string, string] => [section(file), section(target)])
    .filter(([from, to]) => from !== to);
  expect(nodesInCircles(resources)).toEqual([]);
});

test('wall time, randomness and the environment are read in the modules made for them', () => {
  const wrong = files.filter(
    file =>
      !SYSTEM_FILES.includes(file) &&
      !SYSTEM_FOLDERS.some(folder => file.startsWith(folder)) &&
      SYSTEM.test(textOf(file)),
  );
  expect(wrong, 'time and randomness come from the world, settings from options').toEqual([]);
});

test('no file asks URL.canParse, which Node.js answers wrongly once it is compiled', () => {
  expect(files.filter(file => textOf(file).includes('URL.canParse('))).toEqual([]);
});

/** Returns the replaceable globals that the code of a file uses as values without an import or a name of its own. */
function replaceableGlobals(file: string): string[] {
  const code = textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return REPLACEABLE.split(' ').filter(name => {
    const isBound = new RegExp(
      `\\{[^{}]*\\b${name}\\b[^{}]*\\}(?: from| =|:)|\\b(?:const|function|class) ${name}\\b`,
    );
    // Every error is created in the realm of the package, but not every error is caught there.
    const uses =
      name === 'Error'
        ? 'instanceof Error\\b'
        : `\\b(?:new|instanceof) ${name}\\b|${free(name)}(?:\\??\\.\\w|\\()`;
    const isPassed = /^[a-z]/.test(name) ? `|(?<=[=(,:?] ?)${name}(?=[,;)])` : '';
    return new RegExp(uses + isPassed).test(code) && !isBound.test(code);
  });
}

/** A pattern for a name that is neither a member nor a part of a text. */
function free(name: string): string {
  return `(?<![\\w.$'"\`/-])${name}`;
}

test('what others replace among the globals is imported when the package is loaded', () => {
  const inNode = files.filter(
    file => !ROOMS_OUTSIDE_NODE.includes(room(file)) && !MAY_USE_GLOBALS.includes(file),
  );
  // The test finds uses at all.
  expect(replaceableGlobals('dashboard/data/http.ts')).toContain('fetch');
  const wrong = inNode.flatMap(file => replaceableGlobals(file).map(name => `${file}: ${name}`));
  expect(wrong, 'import it from node: or core/values/builtins.ts; isError replaces instanceof Error').toEqual(
    [],
  );
});
