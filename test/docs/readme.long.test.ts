import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('npm start serves a sandbox in a clone', async () => {
  const args = ['start', '--', '--port', '0', '--json'];
  // In a group of its own, because npm does not pass signals on in every version.
  const child = spawn('npm', args, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGTERM'));
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    expect((await fetch(`${JSON.parse(line).url}/_sandbox/health`)).status).toBe(200);
    return;
  }
  throw new Error('npm start ended before it listened');
});

test('npx finds the command in a clone as well', async () => {
  // The first time, npx installs the clone into its cache. Its scripts would build again while other tests use the build.
  const env = { ...process.env, npm_config_ignore_scripts: 'true' };
  const { stdout } = await promisify(execFile)('npx', ['--offline', 'card-sandbox', '--version'], {
    cwd: ROOT,
    env,
  });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
