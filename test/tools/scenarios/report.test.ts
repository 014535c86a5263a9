import { expect, test } from 'vitest';
import { junitOfError } from '../../../src/tools/scenarios/report/junit.ts';

test('JUnit XML drops what XML cannot hold, and escapes what reorders or hides text', () => {
  const xml = junitOfError('a.yaml', '\u001b[2J\u009b2J\u202e<b>');
  expect(xml).toContain('<error message="[2J\\u009b2J\\u202e&lt;b&gt;">');
});
