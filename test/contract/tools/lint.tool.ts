import { expect, test } from 'vitest';
import { documentFile, tool } from './run.ts';

test.each([
  ['partner', 'json'],
  ['partner', 'yaml'],
  ['control', 'json'],
] as const)('redocly finds nothing wrong in the document of the %s plane, as %s', async (plane, format) => {
  const file = await documentFile(plane, format);
  // The groups have names that say what is in them.
  const said = await tool('@redocly/cli/bin/cli.js', ['lint', file, '--skip-rule', 'tag-description']);
  expect(said).toContain('Your API description is valid');
  expect(said).not.toMatch(/You have \d+ (?:warning|error)/);
});
