import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { temporaryFile } from '../cli/support/temporary-file.ts';
import { runInProcess } from '../support/cli-in-process.ts';

/** Writes a module that leaves a mark when it runs, and a file of data beside it. */
async function files(name: string, content: string) {
  const file = await temporaryFile(name);
  const folder = dirname(file);
  await writeFile(join(folder, 'evil.mjs'), 'globalThis.hasRun = true; export default {};');
  await writeFile(file, content.replaceAll('FOLDER', folder));
  return file;
}
const hasRun = () => 'hasRun' in globalThis;

test.each(['./evil.mjs', 'FOLDER/evil.mjs', './evil.js', './evil.cjs', './evil.ts'])(
  'a configuration file cannot load the module %s',
  async path => {
    const file = await files('card-sandbox.config.yaml', `fixtures: [starter, ${path}]\n`);
    const rule = /fixtures\[1\]: is code, which a file must not load; pass it to --fixtures/;
    for (const args of [
      ['exec', '--config', file, '--', 'true'],
      ['start', '--config', file, '--port', '0'],
    ]) {
      expect(await runInProcess(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(rule) });
    }
    expect(() => createSandbox({ config: file })).toThrow(rule);
    expect(hasRun()).toBe(false);
  },
);

test('a scenario file cannot load a module', async () => {
  const scenario = 'name: evil\nfixtures: [FOLDER/evil.mjs]\nsteps: [{ advance: 1s }]\n';
  const file = await files('scenario.yaml', scenario);
  const rule = /fixtures\[0\]: is code, which a scenario must not load/;
  for (const args of [
    ['demo', file],
    ['run', file, '--base-url', 'http://127.0.0.1:1/v1'],
    ['start', '--scenarios', file],
  ]) {
    expect(await runInProcess(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(rule) });
  }
  expect(hasRun()).toBe(false);
});
