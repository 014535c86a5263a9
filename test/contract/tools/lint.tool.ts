import { expect, test } from 'vitest';
import { documentFile, tool } from './run.ts';

test.each([
  ['partner', 'json'],
  ['partner', 'yaml'],
  ['control', 'json'],
] as const)('redocly reports no problem in the document of the %s plane as %s', async (plane, format) => {
  const file = await documentFile(plane, format);
  // The names of the tags need no descriptions.
  const output = await tool('@redocly/cli/bin/cli.js', ['lint', file, '--skip-rule', 'tag-description']);
  expect(output).toContain('Your API description is valid');
  expect(output).not.toMatch(/You have \d+ (?:warning|error)/);
});
