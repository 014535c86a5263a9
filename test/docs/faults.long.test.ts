import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/faults.md'), 'utf8');
const blocks = [...document.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
const run = promisify(execFile);

test('the commands in docs/faults.md do what it says', async () => {
  const { origin, control } = await startSandbox({ fixtures: ['starter'] });
  const script = blocks.join('echo; echo ----\n').replace('http://127.0.0.1:4242', origin);
  const { stdout } = await run('sh', ['-ec', script]);
  const [header = '', armed, retry, timeouts] = stdout.split('\n----\n');
  expect(header.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 503', 'HTTP/1.1 429']);
  expect(header).toMatch(/^Retry-After: 7\r$/m);
  expect(armed).toMatch(/^(\{"id":"flt_\w+",.*"hits":0\})\[\1\]$/);
  expect(retry).toMatch(/no response, so retry:\n\{"success":false,"error":".*token/);
  expect(timeouts).toBe('timed out\nconnection closed\n');
  expect((await control('GET', '/faults')).body).toMatchObject([
    { drop: true, when: 'after', hits: 1 },
    { status: 429, retryAfter: 2, times: 3, hits: 0 },
  ]);
});
