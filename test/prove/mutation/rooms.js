import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The root of the project. */
export const ROOT = join(import.meta.dirname, '../../..');

/** Which sources get mutants, by the name of the room that they count for. */
const ROOMS = {
  kernel: /^src\/kernel\//,
  webhooks: /^src\/resources\/webhooks\//,
  rules:
    /^src\/resources\/[^/]+\/(?:rules|spending|declines|submission|links|identity|share-tokens|sessions)[^/]*\.ts$/,
};

/** The tests that look for mutants: those that are quick, in one process, and near to these sources. */
const TESTS = [
  /^test\/(?:kernel|control|resources|state|fixtures|client)\/.*\.test\.ts$/,
  /^test\/sandbox\/assumptions\.test\.ts$/,
  /^test\/surfaces\/http\/(?:long-inputs|names|stream)\.test\.ts$/,
  /^test\/surfaces\/pages\/(?:page-headers|pages)\.test\.ts$/,
  /^test\/surfaces\/in-process\/(?:fixtures|handlers|life)\.test\.ts$/,
];
/** Long ones, ones that start processes of their own, and those of the readers of YAML, which have no mutants. */
const LEFT_OUT = [
  'test/state/file.test.ts',
  'test/state/kill.test.ts',
  'test/resources/webhooks/many-deliveries.test.ts',
  'test/resources/webhooks/receiver-calls-sandbox.test.ts',
  'test/fixtures/yaml-errors.test.ts',
];

/** The names of the rooms. */
export const roomNames = Object.keys(ROOMS);

/**
 * The room of a source file; undefined when it gets no mutants. A file is in the first room that it fits.
 *
 * @param {string} file
 */
export function roomOf(file) {
  return roomNames.find(name => ROOMS[name].test(file));
}

/** All source files that get mutants, from the root. */
export function sources() {
  return filesBelow('src').filter(file => file.endsWith('.ts') && roomOf(file) !== undefined);
}

/** All test files that look for them, from the root. */
export function tests() {
  return filesBelow('test').filter(
    file => TESTS.some(pattern => pattern.test(file)) && !LEFT_OUT.includes(file),
  );
}

/** @param {string} folder */
function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
