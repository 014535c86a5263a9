import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, blocksOf } from '../support/markdown.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The commands that are not run page by page, by how their block begins. */
const NOT_RUN: readonly (readonly [page: string, begins: string, reason: string])[] = [
  ['docs/containers.md', 'npm pack', 'test/package/containers.long.test.ts runs it'],
  ['docs/containers.md', '# ', 'test/package/containers.long.test.ts runs it'],
  [
    'docs/containers.md',
    'TEAM=',
    'needs a cluster; test/package/containers.long.test.ts starts what it starts',
  ],
  ['docs/openapi.md', 'npx openapi-typescript', 'test/contract/tools/clients.tool.ts runs it'],
  ['docs/openapi.md', 'npx --package openapi-to-postmanv2', 'test/contract/tools/postman.tool.ts runs it'],
  ['docs/openapi.md', 'npx @hey-api', 'test/contract/tools/clients.tool.ts runs it'],
  ['docs/openapi.md', 'npx @stoplight', 'test/contract/tools/prism.tool.ts runs it'],
  [
    'docs/records.md',
    'npx card-sandbox open',
    'runs until it is stopped; test/cli/examples.long.test.ts runs it',
  ],
  ['docs/worlds.md', 'npx card-sandbox start --public-url', 'needs a proxy with a name of its own'],
  ['docs/sound-integration.md', 'npx card-sandbox exec', 'test/tools/exam/apps.long.test.ts runs it'],
];

/** The pages whose commands users run: README, AGENTS.md and everything in docs but what contributors read. */
export const PAGES = [
  'README.md',
  'AGENTS.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter(name => name.endsWith('.md') && name !== 'architecture.md')
    .map(name => `docs/${name}`),
];

/** Returns the blocks of a page. */
export function pageBlocks(page: string): Block[] {
  return blocksOf(readFileSync(join(ROOT, page), 'utf8'));
}

/** Returns the blocks of a page without the commands that are not run page by page. */
export function runnableBlocks(page: string): Block[] {
  const begins = NOT_RUN.filter(([of]) => of === page).map(([, text]) => text);
  return pageBlocks(page).filter(({ text }) => !begins.some(each => text.startsWith(each)));
}
