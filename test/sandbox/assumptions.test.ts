import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assumptions } from '../../src/sandbox/assumptions.ts';
import { operations } from '../../src/sandbox/operations.ts';
import { startSandbox } from '../support/sandbox.ts';

const SOURCE = join(import.meta.dirname, '../../src');
const known = new Set(assumptions.map(({ id }) => id));

const named = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .flatMap(file => {
    const text = readFileSync(join(SOURCE, file), 'utf8');
    return [...text.matchAll(/\bassumed\(\s*(['"`])(.+?)\1\s*,?\s*\)/g)].map(([, , id]) => ({ file, id }));
  });

test('every assumption that the source names is in the register', () => {
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ id }) => !known.has(id ?? ''))).toEqual([]);
});

test('every operation rests on an assumption of the register or on a section of the interface', () => {
  for (const { id, fidelity } of operations) {
    if (fidelity.kind === 'assumed') expect([id, known.has(fidelity.id)]).toEqual([id, true]);
    else expect([id, fidelity.section]).toEqual([id, expect.stringMatching(/^[1-9](\.\d+)?$/)]);
  }
});

test('assumptions have one id each and say what they decide where', () => {
  expect(assumptions.map(({ id }) => id)).toHaveLength(known.size);
  for (const { id, section, decision } of assumptions) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(section).toMatch(/^[1-9](\.\d+)?$/);
    expect(decision).toMatch(/^\S.{20,}[.]$/s);
  }
});

test('operations have one id each, and one method and path', () => {
  const ids = operations.map(({ id }) => id);
  const routes = operations.map(({ plane, method, path }) =>
    `${plane} ${method} ${path}`.replace(/\{\w+\}/g, '{}'),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(routes).size).toBe(routes.length);
});

test('the control plane shows the register as it is', async () => {
  const { control } = await startSandbox();
  expect(await control('GET', '/assumptions')).toMatchObject({ status: 200, body: assumptions });
});
