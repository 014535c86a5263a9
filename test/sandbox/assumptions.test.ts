import { expect, test } from 'vitest';
import { operations } from '../../src/sandbox/operations.ts';
import { assumptions } from '../../src/service/assumptions/register.ts';
import { startSandbox } from '../support/sandbox.ts';

const ids = assumptions.map(({ id }) => id);
const known = new Set<string>(ids);

test('every operation rests on an assumption of the register or on a section of the interface', () => {
  for (const { id, fidelity } of operations) {
    if (fidelity.kind === 'assumed') expect([id, known.has(fidelity.id)]).toEqual([id, true]);
    else expect([id, fidelity.section]).toEqual([id, expect.stringMatching(/^[1-9](\.\d+)?$/)]);
  }
});

test('assumptions have one id each and say what they decide where', () => {
  expect(ids).toHaveLength(known.size);
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
  const shown = assumptions.map(entry =>
    'setting' in entry
      ? { ...entry, setting: { name: entry.id, ...entry.setting, value: entry.setting.default } }
      : entry,
  );
  expect(await control('GET', '/assumptions')).toMatchObject({ status: 200, body: shown });
});
