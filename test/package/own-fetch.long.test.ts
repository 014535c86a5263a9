import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DIST, dynamicImport } from './dist-files.ts';

test('the fetch of a process is that of Node.js, also when webhooks are sent before its first use', () => {
  const program = `
    require(process.argv[1]);
    const { createServer } = require('node:http');
    const server = createServer((request, response) => request.resume().on('end', () => response.end('received')));
    server.listen(0, '127.0.0.1', async () => {
      const url = 'http://127.0.0.1:' + server.address().port;
      const response = await fetch(url, { method: 'POST', headers: { 'content-length': '2' }, body: '{}' });
      console.log(await response.text());
      process.exit();
    });`;
  const agent = join(DIST, dynamicImport('agent'));
  expect(execFileSync(process.execPath, ['-e', program, agent], { encoding: 'utf8' })).toBe('received\n');
});
