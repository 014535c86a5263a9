import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runInProcess } from '../../../support/cli-in-process.ts';

const committed = (file: string) =>
  readFileSync(new URL(`../../../../docs/${file}`, import.meta.url), 'utf8');

test('openapi prints the document as JSON by default, without a running sandbox', async () => {
  expect(await runInProcess(['openapi'])).toMatchObject({
    code: 0,
    stdout: committed('openapi.json'),
    stderr: '',
  });
  const { stdout } = await runInProcess(['openapi', '--format', 'yaml']);
  expect(parse(stdout)).toEqual(JSON.parse(committed('openapi.json')));
});

test('openapi --plane control prints the document of the control plane', async () => {
  const { stdout } = await runInProcess(['openapi', '--plane', 'control']);
  expect(stdout).toBe(committed('openapi-control.json'));
});

test('an unknown format is wrong usage', async () => {
  const { code, stderr } = await runInProcess(['openapi', '--format', 'xml']);
  expect(code).toBe(2);
  expect(stderr).toContain('json, yaml');
});
