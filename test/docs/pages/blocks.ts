import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, blocksOf, sectionsOf } from '../support/markdown.ts';

/** The top of the repository. */
export const ROOT = join(import.meta.dirname, '../../..');

/** A block that is not run by `pages.long.test.ts`: another test runs it, or there is a reason not to. */
export interface Elsewhere {
  readonly page: string;
  /** How the block begins. */
  readonly begins: string;
  /** The test that runs it. */
  readonly ranBy?: string;
  /** Why it is not run. */
  readonly reason?: string;
}

const EMBEDDING = 'test/docs/projects/embedding.long.test.ts';
const WORLDS = 'test/docs/projects/worlds.long.test.ts';
const CONTAINERS = 'test/package/containers.long.test.ts';
const CI = 'test/docs/ci/recipes.long.test.ts';
const CLIENTS = 'test/contract/tools/clients.tool.ts';
const EXAM_APPS = 'test/tools/exam/apps.long.test.ts';
const SNIPPETS = 'test/docs/pages/snippets.test.ts';
const README = 'test/docs/readme.long.test.ts';
const SAMPLE = 'a sample of output';

/** The blocks that are not run page by page. Every other block of the documents is. */
export const ELSEWHERE: readonly Elsewhere[] = [
  { page: 'README.md', begins: 'npm install && npm start', ranBy: README },
  { page: 'README.md', begins: '  API  ', reason: SAMPLE },
  { page: 'README.md', begins: 'import { createSandbox', ranBy: README },
  {
    page: 'src/AGENTS.md',
    begins: 'npm install  ',
    reason: 'for the repository itself, and takes as long as its CI',
  },
  { page: 'AGENTS.md', begins: 'import { createSandbox', ranBy: SNIPPETS },
  {
    page: 'CONTRIBUTING.md',
    begins: 'npm ci',
    reason: 'for the repository itself, and takes as long as its CI',
  },
  { page: 'docs/architecture.md', begins: 'flowchart', reason: 'a diagram' },
  { page: 'docs/architecture.md', begins: 'advance(1h)', reason: 'a diagram' },
  {
    page: 'docs/command-line.md',
    begins: '# yaml-language-server',
    ranBy: 'test/cli/commands/sandbox/config-file.test.ts',
  },
  { page: 'docs/containers.md', begins: 'npm pack', ranBy: CONTAINERS },
  { page: 'docs/containers.md', begins: '# ', ranBy: CONTAINERS },
  { page: 'docs/containers.md', begins: '// ', ranBy: CONTAINERS },
  { page: 'docs/continuous-integration.md', begins: 'name: tests', ranBy: CI },
  { page: 'docs/continuous-integration.md', begins: 'test:', ranBy: CI },
  { page: 'docs/control-plane.md', begins: 'event: change', reason: SAMPLE },
  { page: 'docs/embedding.md', begins: '// tests/', ranBy: EMBEDDING },
  { page: 'docs/embedding.md', begins: '// vitest.config.ts', ranBy: EMBEDDING },
  {
    page: 'docs/embedding.md',
    begins: 'const { createSandbox }',
    reason: 'a part of a test, which init writes whole',
  },
  { page: 'docs/embedding.md', begins: 'const sandbox = await startServer', reason: 'needs NestJS' },
  { page: 'docs/exam.md', begins: 'applied-twice', reason: SAMPLE },
  { page: 'docs/exam.md', begins: 'A write that was applied', reason: SAMPLE },
  ...['npx card-sandbox evidence verify', 'ssh-keygen', 'echo "partner@example.com'].map(begins => ({
    page: 'docs/go-live.md',
    begins,
    reason: 'needs the folder that the list above writes',
  })),
  { page: 'docs/history.md', begins: '[{ "id"', reason: SAMPLE },
  { page: 'docs/history.md', begins: 'const [last]', ranBy: SNIPPETS },
  { page: 'docs/mcp.md', begins: '{ "mcpServers"', reason: 'the configuration of an agent' },
  { page: 'docs/languages.md', begins: 'card-sandbox exec', ranBy: 'test/examples/languages.long.test.ts' },
  { page: 'docs/openapi.md', begins: 'npx openapi-typescript', ranBy: CLIENTS },
  { page: 'docs/openapi.md', begins: 'import createClient', ranBy: CLIENTS },
  {
    page: 'docs/openapi.md',
    begins: 'npx --package openapi-to-postmanv2',
    ranBy: 'test/contract/tools/postman.tool.ts',
  },
  { page: 'docs/openapi.md', begins: 'npx @hey-api', ranBy: CLIENTS },
  { page: 'docs/openapi.md', begins: 'npx @stoplight', ranBy: 'test/contract/tools/prism.tool.ts' },
  {
    page: 'docs/reveal-and-kyc.md',
    begins: '<iframe',
    reason: 'one element; examples/reveal-iframe is the whole page',
  },
  { page: 'docs/sound-integration.md', begins: 'card-sandbox exec', ranBy: EXAM_APPS },
  { page: 'docs/performance.md', begins: 'npm run', reason: 'for the repository itself, and takes minutes' },
  { page: 'docs/proof.md', begins: 'npm run', reason: 'for the repository itself, and takes minutes' },
  ...['async ', 'export function '].map(begins => ({
    page: 'docs/sound-integration.md',
    begins,
    ranBy: EXAM_APPS,
  })),
  { page: 'docs/state.md', begins: '{', reason: SAMPLE },
  { page: 'docs/state.md', begins: 'body: ', reason: SAMPLE },
  { page: 'docs/webhooks.md', begins: 'import { verifyWebhook', ranBy: SNIPPETS },
  {
    page: 'docs/worlds.md',
    begins: 'card-sandbox start --public-url',
    ranBy: 'test/server/http/public-url.test.ts',
  },
  { page: 'docs/worlds.md', begins: '// tests/', ranBy: WORLDS },
  { page: 'docs/worlds.md', begins: '// vitest.config.ts', ranBy: WORLDS },
];

/** The pages: README, AGENTS.md and everything in docs. */
export const PAGES = [
  'README.md',
  'AGENTS.md',
  'src/AGENTS.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];

/** A block with what is known about it. */
export interface PageBlock extends Block {
  readonly page: string;
  readonly elsewhere: Elsewhere | undefined;
}

/** Returns the text of a page. */
export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** Returns the blocks of a page. */
export function pageBlocks(page: string): PageBlock[] {
  return blocksOf(readPage(page)).map(block => ({
    ...block,
    page,
    elsewhere: ELSEWHERE.find(each => each.page === page && block.text.startsWith(each.begins)),
  }));
}

/** Returns the blocks of a page before its third heading, where the command that answers its question is. */
export function openingBlocks(page: string): readonly Block[] {
  return sectionsOf(readPage(page))
    .slice(0, 3)
    .flatMap(({ blocks }) => blocks);
}
