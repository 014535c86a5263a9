import { expect, test } from 'vitest';
import { apiChanges } from '../../.ci/api-changes.js';
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

test('a release whose notes lack a change of the API is not published', () => {
  const changes = [
    '- A new field.',
    '- `GET /partner/cards`: query parameter `brand` is new (optional, string).',
  ];
  expect(releaseProblems('v1.1.0', { version: '1.1.0', changelog, files: {}, changes })).toEqual([
    `CHANGELOG.md lacks this change of the API (node .ci/api-changes.js): ${changes[1]}`,
  ]);
});

test('the differences of an API are its operations, parameters, members and statuses', () => {
  const card = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, limit: { type: 'number' } },
  };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const cards = {
    parameters: [{ name: 'status', in: 'query', schema: { enum: ['active'] } }],
    requestBody: json({ type: 'object', properties: { name: { type: 'string' } } }),
    responses: { 200: json({ type: 'array', items: { $ref: '#/components/schemas/Card' } }) },
  };
  const components = { schemas: { Card: card } };
  const before = { components, paths: { '/cards': { get: cards, post: cards } } };
  expect(apiChanges(before, before)).toEqual([]);
  const after = {
    components: { schemas: { Card: { ...card, required: ['id', 'limit'], description: 'A card.' } } },
    paths: {
      '/cards': {
        get: {
          ...cards,
          parameters: [
            { name: 'status', in: 'query', required: true, schema: { enum: ['active', 'frozen'] } },
          ],
          requestBody: json({ type: 'object', properties: { text: { type: 'string', maxLength: 5 } } }),
          responses: { ...cards.responses, 404: { description: 'Unknown.' } },
        },
      },
      '/programs': { get: cards },
    },
  };
  expect(apiChanges(before, after)).toEqual([
    '- `GET /cards`: query parameter `status` was optional, enum ["active"], and is required, enum ["active","frozen"].',
    '- `GET /cards`: request member `text` is new (optional, string, maxLength 5).',
    '- `GET /cards`: response member `[].limit` was optional, number, and is required, number.',
    '- `GET /cards`: status 404 is new.',
    '- `GET /cards`: request member `name` is removed.',
    '- `GET /programs` is new.',
    '- `POST /cards` is removed.',
  ]);
});
