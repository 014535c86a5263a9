import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import pkg from '../../package.json' with { type: 'json' };
import { ROOT } from './installed.ts';

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
}

const OLDEST_NODE = [20, 19, 0] as const;

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
);
const { '': root, ...packages } = lock.packages;

/** Returns the entry that a package loads a dependency from, or null when there is none: its own, or one further up. */
function entryOf(dependency: string, dependent: string): LockedPackage | null {
  const parents = `/${dependent}`.split('/node_modules/');
  for (let depth = parents.length; depth > 0; depth--) {
    const path = [...parents.slice(0, depth), dependency].join('/node_modules/').slice(1);
    const entry = packages[path];
    if (entry !== undefined) return entry;
  }
  return null;
}

/** Returns the dependencies, as "dependent: dependency@range", that no entry of the lock provides. */
function missing(kind: 'dependencies' | 'optionalDependencies'): string[] {
  return Object.entries(packages).flatMap(([path, { [kind]: dependencies = {} }]) =>
    Object.entries(dependencies)
      .filter(([name, range]) => {
        const entry = entryOf(name, path);
        const isExact = /^\d+\.\d+\.\d+$/.test(range);
        return !entry?.integrity || (isExact && entry.version !== range);
      })
      .map(([name, range]) => `${path}: ${name}@${range}`),
  );
}

/** Whether the oldest supported Node.js is in a range. Throws if the range is written in a way not seen so far. */
function allowsOldestNode(range: string): boolean {
  return range.split('||').some(part => {
    const [, operator, version = ''] = /^\s*(>=|\^|)\s*v?([\d.*]+)\s*$/.exec(part) ?? [];
    if (operator === undefined) throw new Error(`cannot read the Node.js range ${range}`);
    const bounds = version.split('.');
    if (operator === '')
      return bounds.every((bound, at) => bound === '*' || Number(bound) === OLDEST_NODE[at]);
    const [major = 0, minor = 0, patch = 0] = bounds.map(Number);
    const [ours, oursMinor, oursPatch] = OLDEST_NODE;
    if (ours !== major) return operator === '>=' && ours > major;
    return oursMinor > minor || (oursMinor === minor && oursPatch >= patch);
  });
}

test('every optional dependency that a locked package names has an entry in the lock', () => {
  const named = Object.values(packages).flatMap(entry => Object.keys(entry.optionalDependencies ?? {}));
  expect(named).toContain('@biomejs/cli-win32-x64');
  expect(missing('optionalDependencies'), 'pin the newest version that has all platforms').toEqual([]);
});

test('every other dependency that a locked package names has an entry in the lock', () => {
  expect(missing('dependencies')).toEqual([]);
});

test('package.json and the lock agree', () => {
  const { name, version, license, bin, engines, devDependencies, peerDependencies, peerDependenciesMeta } =
    pkg;
  const own = {
    name,
    version,
    license,
    bin,
    engines,
    devDependencies,
    peerDependencies,
    peerDependenciesMeta,
  };
  expect(root).toEqual(own);
  const absent = Object.keys(devDependencies).filter(dependency => !packages[`node_modules/${dependency}`]);
  expect(absent).toEqual([]);
});

test('no locked package demands a newer Node.js than the oldest supported one', () => {
  expect(pkg.engines.node).toBe('>=20.19');
  const demanding = Object.entries(packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !allowsOldestNode(engines.node))
    .map(([path, { engines }]) => `${path}: ${engines?.node}`);
  expect(demanding).toEqual([]);
});
