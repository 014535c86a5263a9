import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../src');

/** Where the rules of this file are explained. */
const DOCUMENT = 'docs/architecture.md';
/** What depends on nothing of the sandbox. */
const BASE = ['persistent', 'redaction', 'values'];
/** Paths below `src` that a folder may import, besides its own files. A path is a folder or a file. */
const ALLOWED_IMPORTS: Record<string, readonly string[]> = {
  persistent: [],
  redaction: [],
  values: ['redaction'],
  kernel: BASE,
  resources: [...BASE, 'kernel'],
  control: [...BASE, 'kernel', 'resources'],
  transport: [...BASE, 'kernel'],
  state: [...BASE, 'kernel'],
  history: [...BASE, 'kernel', 'resources'],
  fixtures: [...BASE, 'kernel', 'resources'],
  sandbox: [...BASE, 'kernel', 'resources', 'control', 'transport', 'fixtures', 'state', 'history'],
  // The client works without a sandbox. It needs the prefixes of the planes and the verification of webhooks.
  client: [...['kernel/operation/plane.ts', 'kernel/request/names.ts', 'kernel/time/realtime.ts', 'values']],
  openapi: ['sandbox', 'kernel/operation/plane.ts'],
  surfaces: [
    ...['sandbox', 'client', 'openapi', 'kernel/operation/plane.ts', 'values'],
    // In-process sandboxes accept fixtures in code and functions as receivers.
    ...['fixtures/define', 'fixtures/file/fixture-error.ts', 'transport/receiver-transport.ts'],
    // An exam disturbs sandboxes in process, too.
    'exam/exam-order.ts',
    // A server plays scenarios as stories of the presenter.
    'scenarios/present',
  ],
  // Scenarios call servers from outside. The operation table lists the control operations.
  scenarios: [
    ...[
      'kernel',
      'values',
      'redaction',
      'fixtures/file',
      'sandbox/operation-groups.ts',
      'sandbox/operations.ts',
      'sandbox/assumptions/register.ts',
      'client',
    ],
    ...['resources/webhooks/schema.ts', 'resources/webhooks/event-types.ts'],
  ],
  // An exam attends a sandbox and knows no surface.
  exam: ['sandbox', 'client', 'resources/webhooks/event-types.ts', 'values'],
  // A calibration knows a service by its API only, and the sandbox by its register.
  calibrate: [
    ...['values', 'redaction', 'kernel/request/names.ts', 'sandbox/assumptions/register.ts'],
    'scenarios/receiver/incoming.ts',
  ],
  cli: [
    ...[
      'exam',
      'calibrate',
      'redaction',
      'sandbox',
      'fixtures',
      'client',
      'openapi',
      'surfaces',
      'scenarios',
      'history/format-names.ts',
    ],
    // Names and validation messages appear in input and output.
    ...['kernel/request/names.ts', 'values'],
    // The doctor sends webhooks as the sandbox does.
    'transport',
  ],
  'index.ts': ['surfaces', 'sandbox', 'client', 'fixtures', 'transport/receiver-transport.ts'],
  'msw.ts': ['client'],
  'vitest.ts': ['surfaces/in-process', 'client'],
  // Lists without schemas, which bring nothing else into the page.
  dashboard: [
    ...['resources/transactions/decline-reasons.ts', 'resources/webhooks/event-types.ts'],
    'resources/webhooks/fault-kinds.ts',
  ],
};
/** Folders from which a folder may import types, which the build erases. */
const ALLOWED_TYPE_IMPORTS: Record<string, readonly string[]> = {
  // The options of a new world take fixtures in code.
  client: ['kernel', 'sandbox', 'fixtures/define/define-fixture.ts'],
  openapi: ['kernel'],
  // The server plays scenarios for an operation of the control plane.
  scenarios: ['control'],
  surfaces: ['kernel'],
  dashboard: ['client', 'control', 'resources', 'zod'],
  'index.ts': ['kernel'],
};
/** The packages that a folder may import. */
const ALLOWED_PACKAGES: Record<string, readonly string[]> = {
  values: ['zod'],
  kernel: ['zod'],
  resources: ['zod'],
  control: ['zod'],
  fixtures: ['zod', 'yaml', '@faker-js/faker', '@msw/data'],
  history: ['zod', 'yaml'],
  sandbox: ['zod'],
  transport: ['undici'],
  openapi: ['yaml', 'zod'],
  surfaces: ['express', '@modelcontextprotocol/sdk'],
  scenarios: ['zod'],
  calibrate: ['yaml', 'zod'],
  cli: ['commander', 'chalk', 'zod'],
  dashboard: [
    ...['preact', 'preact/hooks', '@preact/signals', 'vite'],
    ...['prism-code-editor', '@github/combobox-nav', '@leeoniya/ufuzzy'],
  ],
  'msw.ts': ['msw'],
  'vitest.ts': ['vitest'],
};
const MAX_FILES = 15;
const MIN_ENTRIES = 3;
const MAX_LINES = 250;
const MAX_KERNEL_LINES = 6_000;
/** Files that may use wall time, randomness and the environment, besides those of surfaces, cli and transport. */
const SYSTEM_FILES = ['kernel/time/realtime.ts', 'values/random.ts', 'dashboard/browser/timers.ts'];
const WALL_TIME_AND_RANDOMNESS =
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
const topFolder = (file: string) => file.split('/')[0] ?? file;

/** The nodes that depend on themselves, directly or through others. */
function nodesInCycles(dependencies: ReadonlyMap<string, readonly string[]>): string[] {
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    (dependencies.get(from) ?? []).some(
      next => next === goal || (!seen.has(next) && reaches(next, goal, seen.add(next))),
    );
  return [...dependencies.keys()].filter(each => reaches(each, each));
}

function expectNone(violations: readonly unknown[], rule: string): void {
  expect(violations, `${rule}; see ${DOCUMENT}`).toEqual([]);
}

test('the test finds the source files and their imports', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(imports).toContainEqual({ file: 'cli/main.ts', target: 'cli/program.ts', isTypeOnly: false });
});

test('folders import only what the architecture allows', () => {
  const wrong = imports.filter(({ file, target, isTypeOnly }) => {
    const folder = topFolder(file);
    if (target.startsWith('node:') || target.startsWith('../') || topFolder(target) === folder) return false;
    const allowed = [
      ...(ALLOWED_IMPORTS[folder] ?? []),
      ...(ALLOWED_PACKAGES[folder] ?? []),
      ...((isTypeOnly && ALLOWED_TYPE_IMPORTS[folder]) || []),
    ];
    return !allowed.some(each => target === each || (!/\.tsx?$/.test(each) && target.startsWith(`${each}/`)));
  });
  expectNone(wrong, 'a folder imports only what the table "May import" lists');
});

test('docs/architecture.md lists every file of the kernel once', () => {
  const text = readFileSync(join(SOURCE, '../docs/architecture.md'), 'utf8');
  const [, map = ''] = /## The kernel\n(.*?)\n## /s.exec(text) ?? [];
  const listed = [...map.matchAll(/^\| `([a-z]+)` \|[^|]*\|([^|]*)\|/gm)].flatMap(([, folder, names = '']) =>
    [...names.matchAll(/`([a-z-]+)`/g)].map(([, name]) => `kernel/${folder}/${name}.ts`),
  );
  expect(listed.sort()).toEqual(files.filter(file => topFolder(file) === 'kernel').sort());
});

test('no files import each other in a cycle', () => {
  const dependencies = new Map<string, string[]>();
  for (const { file, target } of imports) {
    dependencies.set(file, [...(dependencies.get(file) ?? []), target]);
  }
  expectNone(nodesInCycles(dependencies), 'files never import each other in a cycle, type imports included');
});

test('only entry points are at the root of src', () => {
  const loose = files.filter(file => !file.includes('/'));
  expect(loose.sort(), `only entry points are at the root of src; see ${DOCUMENT}`).toEqual([
    'index.ts',
    'msw.ts',
    'vitest.ts',
  ]);
});

test('no folder has more than 15 files', () => {
  const counts = new Map<string, number>();
  for (const top of ['src', 'test']) {
    for (const entry of readdirSync(join(SOURCE, '..', top), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1);
    }
  }
  const large = [...counts].filter(([, count]) => count > MAX_FILES);
  expectNone(large, `a folder has at most ${MAX_FILES} files; split it by purpose`);
});

test('every folder of src has at least 3 files or subfolders', () => {
  const folders = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => relative(SOURCE, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const small = folders.filter(folder => readdirSync(join(SOURCE, folder)).length < MIN_ENTRIES);
  expectNone(
    small,
    `a folder has at least ${MIN_ENTRIES} entries; move its files up or list it with a reason`,
  );
});

test('a resource imports no operations of another', () => {
  const slice = (file: string) => file.split('/').slice(0, 2).join('/');
  const wrong = imports.filter(
    ({ file, target }) =>
      topFolder(file) === 'resources' &&
      topFolder(target) === 'resources' &&
      slice(file) !== slice(target) &&
      target.endsWith('/operations.ts'),
  );
  expectNone(wrong, 'a resource uses another only through its schema, records and rules');
});

test('resources do not depend on each other in a cycle', () => {
  const dependencies = new Map<string, string[]>();
  for (const { file, target } of imports) {
    const [from, to] = [file.split('/')[1] ?? '', target.split('/')[1] ?? ''];
    if (topFolder(file) !== 'resources' || topFolder(target) !== 'resources' || from === to) continue;
    dependencies.set(from, [...(dependencies.get(from) ?? []), to]);
  }
  expectNone(nodesInCycles(dependencies), 'resources never depend on each other in a cycle');
});

test('only adapters use wall time, randomness and the environment', () => {
  const mayUse = (file: string) =>
    SYSTEM_FILES.includes(file) || ['surfaces', 'cli', 'transport'].includes(topFolder(file));
  const wrong = files.filter(file => !mayUse(file) && WALL_TIME_AND_RANDOMNESS.test(textOf(file)));
  expectNone(wrong, 'time and randomness come from the world, settings from options');
});

test('no source file is longer than 250 lines', () => {
  const text = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(file =>
    /\.(tsx?|js|json|css|html)$/.test(file),
  );
  const long = text.filter(file => textOf(file).split('\n').length > MAX_LINES);
  expectNone(long, `a file has at most ${MAX_LINES} lines; split it by purpose`);
});

test('the kernel stays below 6,000 lines', () => {
  const lines = files
    .filter(file => topFolder(file) === 'kernel')
    .reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0);
  expect(lines).toBeLessThan(MAX_KERNEL_LINES);
});

test('every export has a JSDoc comment', () => {
  const undocumented = files.flatMap(file => {
    const lines = textOf(file).split('\n');
    return lines.flatMap((line, index) => {
      const isExport = /^export (?:async )?(?:function|const|class|interface|type) \w/.test(line);
      return isExport && !/\*\/$/.test(lines[index - 1] ?? '') ? [`${file}:${index + 1}`] : [];
    });
  });
  expectNone(undocumented, 'a JSDoc sentence above each export says what it promises');
});
