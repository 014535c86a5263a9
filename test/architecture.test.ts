import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../src');

/** Paths below `src` that a folder may import from, besides its own files. A path names a folder or one file. */
const ARROWS: Record<string, readonly string[]> = {
  kernel: [],
  resources: ['kernel'],
  control: ['kernel', 'resources'],
  transport: ['kernel'],
  state: ['kernel'],
  fixtures: ['kernel', 'resources'],
  sandbox: ['kernel', 'resources', 'control', 'transport', 'fixtures', 'state'],
  // The client starts without a sandbox: it needs the prefixes of the planes, and what verifies a webhook.
  client: [
    ...['kernel/operation/plane.ts', 'kernel/request/names.ts'],
    ...['kernel/values/signature.ts', 'kernel/time/realtime.ts'],
  ],
  openapi: ['sandbox', 'kernel/operation/plane.ts'],
  surfaces: [
    ...['sandbox', 'client', 'openapi', 'kernel/operation/plane.ts'],
    // Sandboxes for programs take fixtures in code and receivers that are functions.
    ...['fixtures/define', 'transport/receiver-transport.ts'],
  ],
  // A scenario drives servers from outside; the table says which control operations there are.
  scenarios: [
    ...['kernel', 'fixtures/file', 'sandbox/operations.ts', 'sandbox/assumptions.ts', 'client'],
    'resources/webhooks/schema.ts',
  ],
  cli: [
    ...['sandbox', 'fixtures', 'client', 'openapi', 'surfaces', 'scenarios'],
    // Durations, names, suggestions and validation messages are what people write and read.
    ...['kernel/values/duration.ts', 'kernel/values/nearest.ts', 'kernel/request/names.ts'],
    'kernel/request/validation-messages.ts',
    // The doctor signs and sends as the sandbox does.
    ...['kernel/values/signature.ts', 'transport'],
  ],
  'index.ts': ['surfaces', 'sandbox', 'client', 'fixtures', 'transport/receiver-transport.ts'],
  'msw.ts': ['client'],
  'vitest.ts': ['surfaces/in-process', 'client'],
  dashboard: [],
};
/** Folders whose types alone, which leave nothing behind in what is built, a folder may import from anywhere in them. */
const TYPE_ARROWS: Record<string, readonly string[]> = {
  client: ['kernel', 'sandbox'],
  openapi: ['kernel'],
  surfaces: ['kernel'],
  dashboard: ['client', 'control', 'resources', 'zod'],
  'index.ts': ['kernel'],
};
/** Packages, by the folder that may use them. */
const PACKAGES: Record<string, readonly string[]> = {
  kernel: ['zod'],
  resources: ['zod', '@faker-js/faker'],
  control: ['zod'],
  fixtures: ['zod', 'yaml', '@faker-js/faker', '@msw/data'],
  sandbox: ['zod'],
  transport: ['undici'],
  openapi: ['yaml', 'zod'],
  surfaces: ['express'],
  scenarios: ['zod'],
  cli: ['commander', 'chalk', 'zod'],
  dashboard: ['preact', 'preact/hooks', '@preact/signals', 'vite'],
  'msw.ts': ['msw'],
  'vitest.ts': ['vitest'],
};
const MOST_FILES = 15;
const WALL_TIME_AND_CHANCE =
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
const room = (file: string) => file.split('/')[0] ?? file;

/** Those from which the arrows lead back to themselves. */
function inCircles(arrows: ReadonlyMap<string, readonly string[]>): string[] {
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    (arrows.get(from) ?? []).some(
      next => next === goal || (!seen.has(next) && reaches(next, goal, seen.add(next))),
    );
  return [...arrows.keys()].filter(each => reaches(each, each));
}

test('the imports are found at all', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(imports).toContainEqual({ file: 'cli/main.ts', target: 'cli/program.ts', isTypeOnly: false });
});

test('every import follows an arrow of the design', () => {
  const wrong = imports.filter(({ file, target, isTypeOnly }) => {
    if (target.startsWith('node:') || target.startsWith('../') || room(target) === room(file)) return false;
    const allowed = [
      ...(ARROWS[room(file)] ?? []),
      ...(PACKAGES[room(file)] ?? []),
      ...((isTypeOnly && TYPE_ARROWS[room(file)]) || []),
    ];
    return !allowed.some(each => target === each || (!/\.tsx?$/.test(each) && target.startsWith(`${each}/`)));
  });
  expect(wrong).toEqual([]);
});

test('the document on the architecture says of each file of the kernel once what it is for', () => {
  const text = readFileSync(join(SOURCE, '../docs/architecture.md'), 'utf8');
  const [, map = ''] = /## The kernel\n(.*?)\n## /s.exec(text) ?? [];
  const listed = [...map.matchAll(/^\| `([a-z]+)` \|[^|]*\|([^|]*)\|/gm)].flatMap(([, folder, names = '']) =>
    [...names.matchAll(/`([a-z-]+)`/g)].map(([, name]) => `kernel/${folder}/${name}.ts`),
  );
  expect(listed.sort()).toEqual(files.filter(file => room(file) === 'kernel').sort());
});

test('no files need each other in a circle', () => {
  const needs = new Map<string, string[]>();
  for (const { file, target, isTypeOnly } of imports) {
    if (!isTypeOnly) needs.set(file, [...(needs.get(file) ?? []), target]);
  }
  expect(inCircles(needs)).toEqual([]);
});

test('nothing is loose at the root of src but what people import', () => {
  expect(files.filter(file => !file.includes('/')).sort()).toEqual(['index.ts', 'msw.ts', 'vitest.ts']);
});

test('no folder has so many files that its name no longer says what they are for', () => {
  const everything = ['src', 'test'].flatMap(top =>
    readdirSync(join(SOURCE, '..', top), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => entry.parentPath),
  );
  const counts = new Map<string, number>();
  for (const folder of everything) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
});

test('a resource uses another only through its schema, its records and its rules', () => {
  const slice = (file: string) => file.split('/').slice(0, 2).join('/');
  const wrong = imports.filter(
    ({ file, target }) =>
      room(file) === 'resources' &&
      room(target) === 'resources' &&
      slice(file) !== slice(target) &&
      target.endsWith('/operations.ts'),
  );
  expect(wrong).toEqual([]);
});

test('resources do not depend on each other in circles', () => {
  const uses = new Map<string, string[]>();
  for (const { file, target } of imports) {
    const [from, to] = [file.split('/')[1] ?? '', target.split('/')[1] ?? ''];
    if (room(file) !== 'resources' || room(target) !== 'resources' || from === to) continue;
    uses.set(from, [...(uses.get(from) ?? []), to]);
  }
  expect(inCircles(uses)).toEqual([]);
});

test('only the rooms made for it touch wall time, chance and the environment', () => {
  const free = (file: string) =>
    ['kernel/time/realtime.ts', 'kernel/values/random.ts', 'dashboard/browser/timers.ts'].includes(file) ||
    ['surfaces', 'cli', 'transport'].includes(room(file));
  expect(files.filter(file => !free(file) && WALL_TIME_AND_CHANCE.test(textOf(file)))).toEqual([]);
});

test('files of code stay short enough to be read at once', () => {
  const code = files.filter(file => file !== 'sandbox/assumptions.ts');
  expect(code.filter(file => textOf(file).split('\n').length > 250)).toEqual([]);
});

test('every export says what it promises', () => {
  const bare = files.flatMap(file => {
    const lines = textOf(file).split('\n');
    return lines.flatMap((line, index) => {
      const isExport = /^export (?:async )?(?:function|const|class|interface|type) \w/.test(line);
      return isExport && !/\*\/$/.test(lines[index - 1] ?? '') ? [`${file}:${index + 1}`] : [];
    });
  });
  expect(bare).toEqual([]);
});
