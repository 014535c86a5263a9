import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
const run = promisify(execFile);

test('the five calls of the README lead from a share token to a card', async () => {
  const { origin, api } = await startSandbox({ fixtures: ['starter'] });
  const before = await api('GET', '/partner/cards?limit=1');
  const first = blocks.findIndex(code => code.startsWith('BASE='));
  const script = blocks
    .slice(first, first + 6)
    .join('')
    .replace('http://127.0.0.1:4242', origin);
  const { stdout } = await run('sh', ['-ec', script]);
  const card = JSON.parse(stdout.slice(stdout.lastIndexOf('{"id":"card_')));
  expect(card).toMatchObject({ nameOnCard: 'Mia Wong', status: 'created', programId: 'prog_everyday' });
  const after = await api('GET', '/partner/cards?limit=1');
  expect(after.body.total).toBe(before.body.total + 1);
});
