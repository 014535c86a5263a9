import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, run } from '../../package/installed.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';
import { TOOLS } from './nodes.js';
import { documentFile, tool } from './run.ts';

const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

const STRICT = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: false,
    skipLibCheck: false,
    outDir: 'built',
  },
  include: ['.'],
  exclude: ['built'],
};

/** A new folder inside the tools, with one of our test programs. */
function workshop(name: string, story: string): string {
  const folder = join(TOOLS, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  copyFileSync(join(import.meta.dirname, 'clients', story), join(folder, story));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(STRICT));
  return folder;
}

/** Compiles a folder under `strict` and runs its program against a new sandbox. */
async function runStory(folder: string, story: string): Promise<string> {
  await run(process.execPath, [COMPILER, '--project', folder], folder);
  const { origin } = await startSandbox({ fixtures: ['starter'] });
  const program = join('..', relative(TOOLS, folder), 'built', story.replace('.ts', '.js'));
  return tool(program, [], { BASE_URL: `${origin}/v1`, API_KEY: ACME_KEY });
}

test('openapi-typescript and openapi-fetch generate a client that compiles under strict and completes the program', async () => {
  const folder = workshop('fetch-client', 'fetch-story.ts');
  const document = await documentFile('partner', 'json');
  await tool('openapi-typescript/bin/cli.js', [document, '--output', join(folder, 'api.d.ts')]);
  expect(await runStory(folder, 'fetch-story.ts')).toBe('story complete\n');
});

test('@hey-api/openapi-ts generates an SDK that compiles under strict and completes the program', async () => {
  const folder = workshop('sdk', 'sdk-story.ts');
  const document = await documentFile('partner', 'json');
  const output = ['--output', join(folder, 'sdk'), '--client', '@hey-api/client-fetch'];
  await tool('@hey-api/openapi-ts/bin/run.js', ['--input', document, ...output]);
  expect(await runStory(folder, 'sdk-story.ts')).toBe('story complete\n');
});
