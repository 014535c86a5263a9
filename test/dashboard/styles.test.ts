import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src/dashboard');
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
const read = (ending: RegExp) =>
  FILES.filter(file => ending.test(file))
    .map(file => readFileSync(join(SOURCE, file), 'utf8'))
    .join('\n');

test('each class that a style names is one that a page has', () => {
  const words = new Set(read(/\.(?:tsx?|html)$/).split(/["'`\s]|\$\{/));
  const selectors = read(/\.css$/).replace(/\/\*.*?\*\/|\{[^{}]*\}/gs, ' ');
  const styled = new Set(Array.from(selectors.matchAll(/\.([a-z][\w-]*)/g), ([, name = '']) => name));
  expect(styled.size).toBeGreaterThan(100);
  // `not-narrow` comes from `not-${…}`.
  const isUsed = (name: string) => words.has(name) || words.has(name.replace(/\w+$/, ''));
  expect([...styled].filter(name => !isUsed(name))).toEqual([]);
});
