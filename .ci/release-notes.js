// Prints the release notes of a tag, taken from CHANGELOG.md. Exits with 1 when the tag is not ready to be published:
// `node .ci/release-notes.js v1.2.3`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changesSince } from './api-changes.js';

const ROOT = join(import.meta.dirname, '..');
/** Files that name the repository's owner. */
const NAMING_OWNER = [
  'package.json',
  'SECURITY.md',
  '.github/CODEOWNERS',
  '.github/ISSUE_TEMPLATE/config.yml',
];

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
 * What keeps a tag from being published, one sentence each; empty when nothing does. `files` are those that name the
 * owner, by their paths; `changes` are the lines of `api-changes.js` since the release before.
 *
 * @param {string} tag
 * @param {{
 *   version: string,
 *   changelog: string,
 *   files: Readonly<Record<string, string>>,
 *   changes?: readonly string[],
 * }} repository
 * @returns {string[]}
 */
export function releaseProblems(tag, { version, changelog, files, changes = [] }) {
  const placeholders = Object.keys(files).filter(path => /\bOWNER\b/.test(files[path] ?? ''));
  const notes = notesOf(changelog, version);
  const missing = changes.filter(line => !(notes ?? '').split('\n').includes(line));
  return [
    ...(tag === `v${version}` ? [] : [`The tag is ${tag}, but package.json has version ${version}.`]),
    ...(notes === null ? [`CHANGELOG.md has no notes under "## ${version}".`] : []),
    ...missing.map(line => `CHANGELOG.md lacks this change of the API (node .ci/api-changes.js): ${line}`),
    ...placeholders.map(path => `${path} still has the placeholder OWNER.`),
  ];
}

/** The differences of the API to the release before a tag; none for the first release. */
function changesBefore(tag) {
  const options = { cwd: ROOT, encoding: 'utf8' };
  const tags = execFileSync(
    'git',
    ['tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-creatordate'],
    options,
  );
  const previous = tags.split('\n').find(each => each !== '' && each !== tag);
  return previous === undefined ? [] : changesSince(previous);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = path => readFileSync(join(ROOT, path), 'utf8');
  const [tag = ''] = process.argv.slice(2);
  const { version } = JSON.parse(read('package.json'));
  const changelog = read('CHANGELOG.md');
  const files = Object.fromEntries(NAMING_OWNER.map(path => [path, read(path)]));
  const changes = changesBefore(tag);
  const problems = releaseProblems(tag, { version, changelog, files, changes });
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exitCode = 1;
  } else {
    console.log(notesOf(changelog, version));
  }
}
