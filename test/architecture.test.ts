import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../src');

/** Which folders a folder may import from; a file at the top of src is named in full. */
const ARROWS: Record<string, readonly string[]> = {
  kernel: ['kernel'],
  resources: ['kernel', 'resources'],
  control: ['kernel', 'resources', 'control'],
  transport: ['kernel', 'transport'],
  fixtures: ['kernel', 'resources', 'fixtures'],
  state: ['kernel', 'state'],
  'assumptions.ts': ['kernel'],
  'logged-delivery.ts': ['kernel', 'resources'],
  'logged-request.ts': ['kernel'],
  'operations.ts': ['kernel', 'resources', 'control'],
  'options.ts': ['kernel', 'fixtures', 'transport'],
  'tables.ts': ['kernel', 'resources'],
  'verify-webhook.ts': ['kernel'],
  'webhook-transport.ts': ['kernel', 'options.ts', 'transport'],
  'seeding.ts': ['kernel', 'fixtures', 'options.ts'],
  'tasks.ts': ['kernel', 'resources'],
  'sandbox.ts': [
    'seeding.ts',
    'tasks.ts',
    'kernel',
    'resources',
    'control',
    'fixtures',
    'state',
    'assumptions.ts',
    'logged-delivery.ts',
    'logged-request.ts',
    'operations.ts',
    'options.ts',
    'tables.ts',
    'webhook-transport.ts',
  ],
  // The client is loaded without a sandbox, so it takes the prefixes from where they are written.
  surfaces: ['sandbox.ts', 'operations.ts', 'assumptions.ts', 'surfaces', 'kernel/plane.ts'],
  // Commands are made from the operation table; durations, suggestions and what is wrong are the words people write.
  cli: [
    ...['surfaces', 'sandbox.ts', 'options.ts', 'logged-delivery.ts', 'logged-request.ts', 'fixtures', 'cli'],
    ...['scenarios', 'operations.ts', 'verify-webhook.ts', 'kernel/duration.ts', 'kernel/nearest.ts'],
    ...['kernel/words.ts', 'kernel/issues.ts'],
    // The doctor signs and sends as the sandbox does.
    ...['kernel/signature.ts', 'transport', 'webhook-transport.ts'],
  ],
  // A scenario drives servers from outside; the table tells what control operations there are, and on what they rest.
  scenarios: [
    ...['kernel', 'fixtures', 'operations.ts', 'assumptions.ts', 'resources/webhooks/schema.ts'],
    ...['surfaces/client.ts', 'verify-webhook.ts', 'scenarios'],
  ],
  'index.ts': [
    ...['embedded.ts', 'sandbox.ts', 'options.ts', 'fixtures', 'surfaces', 'verify-webhook.ts'],
    'transport/receiver-transport.ts',
  ],
  // Sandboxes for programs and tests: the surfaces that need no port, put together.
  'embedded.ts': ['sandbox.ts', 'options.ts', 'fixtures', 'surfaces', 'transport/receiver-transport.ts'],
  'msw.ts': ['surfaces'],
  'vitest.ts': ['embedded.ts', 'surfaces'],
  dashboard: ['dashboard'],
};
/** Packages, by the folder that may use them. */
const PACKAGES: Record<string, readonly string[]> = {
  kernel: ['zod'],
  resources: ['zod', '@faker-js/faker'],
  control: ['zod'],
  fixtures: ['zod', 'yaml', '@faker-js/faker', '@msw/data'],
  'msw.ts': ['msw'],
  'vitest.ts': ['vitest'],
  scenarios: ['zod'],
  'options.ts': ['zod'],
  transport: ['undici'],
  surfaces: ['express', 'yaml', 'zod'],
  dashboard: ['preact', 'preact/hooks', '@preact/signals', 'vite'],
  cli: ['commander', 'chalk', 'zod'],
};
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
    if (target.startsWith('node:') || target.startsWith('../')) return false;
    // The shapes of answers, which leave nothing behind in what is built.
    if (isTypeOnly && room(file) === 'dashboard' && /^(control|resources|surfaces|zod)\b/.test(target))
      return false;
    if (!/\.tsx?$/.test(target)) return !(PACKAGES[room(file)] ?? []).includes(target);
    if (isTypeOnly && ['surfaces', 'index.ts'].includes(room(file)) && target.startsWith('kernel/'))
      return false;
    return !(ARROWS[room(file)] ?? []).some(each => target === each || target.startsWith(`${each}/`));
  });
  expect(wrong).toEqual([]);
});

test('the document on the architecture says of each file of the kernel once what it is for', () => {
  const text = readFileSync(join(SOURCE, '../docs/architecture.md'), 'utf8');
  const [, map = ''] = /## The kernel\n(.*?)\n## /s.exec(text) ?? [];
  const listed = [...map.matchAll(/`([a-z-]+)`/g)].map(([, name]) => `kernel/${name}.ts`);
  expect(listed.sort()).toEqual(files.filter(file => room(file) === 'kernel').sort());
});

test('modules do not need each other in circles, in which one would be used before it is ready', () => {
  const needs = new Map<string, string[]>();
  for (const { file, target, isTypeOnly } of imports) {
    if (!isTypeOnly) needs.set(file, [...(needs.get(file) ?? []), target]);
  }
  expect(inCircles(needs)).toEqual([]);
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
    ['kernel/realtime.ts', 'kernel/random.ts', 'dashboard/browser.ts'].includes(file) ||
    ['surfaces', 'cli', 'transport'].includes(room(file));
  expect(files.filter(file => !free(file) && WALL_TIME_AND_CHANCE.test(textOf(file)))).toEqual([]);
});

test('files of code stay short enough to be read at once', () => {
  const code = files.filter(file => file !== 'assumptions.ts');
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
