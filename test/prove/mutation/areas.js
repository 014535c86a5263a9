import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The root of the project. */
export const ROOT = join(import.meta.dirname, '../../..');

/** The sources that get mutants, by the area that they count for. */
const AREAS = {
  core: /^src\/core\/(?!values|redaction|store\/persistent)/,
  webhooks: /^src\/service\/webhooks\//,
  rules:
    /^src\/service\/[^/]+\/(?:rules|spending|declines|submission|links|identity|share-tokens|sessions)[^/]*\.ts$/,
  control: /^src\/control\//,
  sandbox: /^src\/sandbox\//,
  tools: /^src\/tools\//,
};

/** The most mutants of an area that are judged, where none is selected: enough for a score that is right to 3 %. */
const MAX_PER_AREA = 800;

/** The tests that judge mutants: the quick ones, most of which run in one process. */
const TESTS = /^test\/(?:core|control|service|sandbox|client|tools|server|cli)\/.*(?<!\.long)\.test\.ts$/;
/** Excluded: a test that replaces modules. */
const EXCLUDED = ['test/server/in-process/msw-version.test.ts'];

/** The names of the areas. */
export const areaNames = Object.keys(AREAS);

/**
 * The area of a source file, or undefined when it gets no mutants. The first matching area counts.
 *
 * @param {string} file
 */
export function areaOf(file) {
  return areaNames.find(name => AREAS[name].test(file));
}

/**
 * A sample of mutants: of each area as many as there may be, spread evenly over its files.
 *
 * @template {{ file: string }} M
 * @param {M[]} mutants
 * @returns {M[]}
 */
export function sampleOf(mutants) {
  return areaNames.flatMap(area => {
    const all = mutants.filter(({ file }) => areaOf(file) === area);
    const step = Math.max(1, all.length / MAX_PER_AREA);
    return all.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
  });
}

/** All source files that get mutants, relative to the root. */
export function sources() {
  return filesBelow('src').filter(file => file.endsWith('.ts') && areaOf(file) !== undefined);
}

/** All test files that judge mutants, relative to the root. */
export function tests() {
  return filesBelow('test').filter(file => TESTS.test(file) && !EXCLUDED.includes(file));
}

/** @param {string} folder */
function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
