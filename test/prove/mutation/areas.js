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
};

/** The tests that judge mutants: fast, in one process, and close to these sources. */
const TESTS = [
  /^test\/(?:core|control|service|sandbox\/state|sandbox\/fixtures|client)\/.*\.test\.ts$/,
  /^test\/sandbox\/assumptions\.test\.ts$/,
  /^test\/server\/http\/(?:long-inputs|names|stream)\.test\.ts$/,
  /^test\/server\/pages\/(?:page-headers|pages)\.test\.ts$/,
  /^test\/server\/in-process\/(?:fixtures|handlers|life)\.test\.ts$/,
];
/** Excluded: slow tests, tests that start processes, and tests of the YAML readers, which have no mutants. */
const EXCLUDED = [
  'test/sandbox/state/file.long.test.ts',
  'test/sandbox/state/kill.long.test.ts',
  'test/service/webhooks/many-deliveries.long.test.ts',
  'test/service/webhooks/receiver-calls-sandbox.long.test.ts',
  'test/sandbox/fixtures/yaml-errors.test.ts',
];

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

/** All source files that get mutants, relative to the root. */
export function sources() {
  return filesBelow('src').filter(file => file.endsWith('.ts') && areaOf(file) !== undefined);
}

/** All test files that judge mutants, relative to the root. */
export function tests() {
  return filesBelow('test').filter(
    file => TESTS.some(pattern => pattern.test(file)) && !EXCLUDED.includes(file),
  );
}

/** @param {string} folder */
function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
