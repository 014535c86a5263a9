// Prints the release notes of a tag, taken from CHANGELOG.md. Exits with 1 when the tag is not ready to be published:
// `node .ci/release-notes.js v1.2.3`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(import.meta.dirname, '..');

/**
 * The section of a version in a changelog, without its heading; null when there is none or it is empty.
 *
 * @param {string} changelog
 * @param {string} version
 * @returns {string | null}
 */
export function notesOf(changelog, version) {
  const section = changelog
    .split(/^## /m)
    .slice(1)
    .find(text => text.split(/\s/, 1)[0] === version);
  const notes = section?.slice(section.indexOf('\n')).trim();
  return notes ? notes : null;
}

/**
 * What keeps a tag from being published, one sentence each; empty when nothing does.
 *
 * @param {string} tag
 * @param {string} changelog
 * @param {{ readonly version: string, readonly repository?: object }} manifest
 * @returns {string[]}
 */
export function releaseProblems(tag, changelog, { version, repository }) {
  return [
    ...(tag === `v${version}` ? [] : [`The tag is ${tag}, but package.json has version ${version}.`]),
    ...(notesOf(changelog, version) === null ? [`CHANGELOG.md has no notes under "## ${version}".`] : []),
    ...(repository === undefined
      ? ['package.json lacks `repository`, with which npm verifies where the package was built.']
      : []),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = path => readFileSync(join(ROOT, path), 'utf8');
  const [tag = ''] = process.argv.slice(2);
  const manifest = JSON.parse(read('package.json'));
  const changelog = read('CHANGELOG.md');
  const problems = releaseProblems(tag, changelog, manifest);
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exitCode = 1;
  } else {
    console.log(notesOf(changelog, manifest.version));
  }
}
