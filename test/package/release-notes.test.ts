import { expect, test } from 'vitest';
import { notesOf, releaseProblems } from '../../.ci/release-notes.js';

const changelog = `# Changelog

## Unreleased

## 1.1.0 - 2026-05-01

### The API

- A new field.

## 1.0.0 - 2026-04-01

- The first version.
`;

test('release notes are the section of the version, without its heading', () => {
  expect(notesOf(changelog, '1.1.0')).toBe('### The API\n\n- A new field.');
  expect(notesOf(changelog, '1.0.0')).toBe('- The first version.');
});

test('a version without a section, or with an empty one, has no release notes', () => {
  expect(notesOf(changelog, '1.1')).toBeNull();
  expect(notesOf(changelog, 'Unreleased')).toBeNull();
});

test('a tag of the current version with notes can be published, and every reason not to is reported', () => {
  const repository = { type: 'git', url: 'git+https://github.com/acme/card-sandbox.git' };
  expect(releaseProblems('v1.1.0', changelog, { version: '1.1.0', repository })).toEqual([]);
  expect(releaseProblems('v1.2.0', changelog, { version: '1.3.0' })).toEqual([
    'The tag is v1.2.0, but package.json has version 1.3.0.',
    'CHANGELOG.md has no notes under "## 1.3.0".',
    'package.json lacks `repository`, with which npm verifies where the package was built.',
  ]);
});
