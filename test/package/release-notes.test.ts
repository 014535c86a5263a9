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

test('a tag of the current version with notes and an owner can be published', () => {
  const files = { 'package.json': '{ "bugs": "https://github.com/acme/card-sandbox/issues" }' };
  expect(releaseProblems('v1.1.0', { version: '1.1.0', changelog, files })).toEqual([]);
});

test('every reason not to publish a tag is reported', () => {
  const files = { 'package.json': '{ "bugs": "https://github.com/OWNER/card-sandbox/issues" }' };
  expect(releaseProblems('v1.2.0', { version: '1.3.0', changelog, files })).toEqual([
    'The tag is v1.2.0, but package.json has version 1.3.0.',
    'CHANGELOG.md has no notes under "## 1.3.0".',
    'package.json still has the placeholder OWNER.',
  ]);
});
