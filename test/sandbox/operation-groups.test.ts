import { expect, test } from 'vitest';
import { Router } from '../../src/core/request/router.ts';
import { API_PREFIX, CONTROL_PREFIX } from '../../src/core/values/plane.ts';
import { controlGroups, partnerGroups } from '../../src/sandbox/operation-groups.ts';
import { operations } from '../../src/sandbox/operations.ts';

const routers = {
  partner: () => new Router(API_PREFIX, partnerGroups),
  control: () => new Router(CONTROL_PREFIX, controlGroups),
};

test.each(operations)('$id is found by its path, as the first request or after all others', operation => {
  const { plane, method, path } = operation;
  const [prefix, router] =
    plane === 'partner' ? [API_PREFIX, routers.partner()] : [CONTROL_PREFIX, routers.control()];
  const url = prefix + path.replace(/\{\w+\}/g, 'x');
  expect(router.match(method, url)?.operation).toBe(operation);
  for (const each of operations) router.match(each.method, prefix + each.path);
  expect(router.match(method, url)?.operation).toBe(operation);
});

test('only the operations that may be requested are read', () => {
  const read: string[] = [];
  const groups = controlGroups.map(({ paths, operations: list }) => ({
    paths,
    operations() {
      read.push(...paths);
      return list();
    },
  }));
  const router = new Router(CONTROL_PREFIX, groups);
  expect(router.match('GET', `${CONTROL_PREFIX}/clock`)?.operation.id).toBe('clock.get');
  expect(read).toEqual(['/clock']);
  expect(router.match('GET', `${CONTROL_PREFIX}/clocks`)).toBeNull();
  expect(read).toEqual(['/clock']);
});

test('operations whose modules cannot be loaded are found once they can', () => {
  let failures = 2;
  const groups = controlGroups.map(({ paths, operations: list }) => ({
    paths,
    operations() {
      if (paths.includes('/3ds') && failures-- > 0) throw new Error('EMFILE: too many open files');
      return list();
    },
  }));
  const router = new Router(CONTROL_PREFIX, groups);
  const find = (path: string) => router.match('GET', CONTROL_PREFIX + path)?.operation.path;
  // Groups that share its paths are read with it.
  for (const path of ['/cards/x', '/3ds']) expect(() => find(path)).toThrow('EMFILE');
  expect([find('/3ds'), find('/cards/x'), find('/cards')]).toEqual(['/3ds', '/cards/{id}', '/cards']);
});

test('operations of groups that share a path are found in the same order after any request', () => {
  const [any] = controlGroups.flatMap(group => group.operations());
  if (any === undefined) throw new Error('the control plane has no operations');
  const at = (path: string) => ({ ...any, id: path, path, method: 'GET' as const });
  const groups = [
    { paths: ['/cards'], operations: () => [at('/cards/newest')] },
    { paths: ['/cards', '/challenges'], operations: () => [at('/cards/{id}'), at('/challenges')] },
  ];
  const router = new Router(CONTROL_PREFIX, groups);
  for (const path of ['/challenges', '/cards/newest']) {
    expect(router.match('GET', CONTROL_PREFIX + path)?.operation.id).toBe(path);
  }
});
