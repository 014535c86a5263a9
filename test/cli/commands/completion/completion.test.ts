import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { isInstalled } from '../../support/installed.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const scripts = new Map<string, string>();

async function scriptFor(shell: 'bash' | 'zsh' | 'fish'): Promise<string> {
  const script = scripts.get(shell) ?? (await runInProcess(['completion', shell])).stdout;
  scripts.set(shell, script);
  return script;
}

/** Returns what bash offers for the last word of a line. */
async function offered(line: string): Promise<string[]> {
  const words = line.split(' ');
  const file = await temporaryFile('completion.bash');
  await writeFile(file, await scriptFor('bash'));
  const script = `. '${file}'; COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _card_sandbox; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  return stdout.split('\n').filter(word => word !== '');
}

const hasBash = isInstalled('bash', '--version');

test.skipIf(!hasBash)('bash completes commands, flags and their choices', async () => {
  expect(await offered('card-sandbox cl')).toEqual(['clock']);
  expect(await offered('card-sandbox clock ')).toEqual(
    expect.arrayContaining(['now', 'advance', 'freeze', 'resume']),
  );
  expect(await offered('card-sandbox clock a')).toEqual(['advance']);
  expect(await offered('card-sandbox clock advance --u')).toEqual(['--url']);
  expect(await offered('card-sandbox simulate kyc ch_1 --outcome ')).toEqual(['approve', 'reject']);
  expect(await offered('card-sandbox env --format d')).toEqual(['dotenv']);
  expect(await offered('card-sandbox share-tokens add --url http://x --outc')).toEqual(['--outcome']);
});

test.skipIf(!hasBash)('bash completes files, and words after --, itself', async () => {
  expect(await offered('card-sandbox start --fixtures ')).toEqual([]);
  expect(await offered('card-sandbox exec -- cl')).toEqual([]);
});

test.skipIf(!isInstalled('zsh', '--version'))('zsh accepts its script', async () => {
  await promisify(execFile)('zsh', ['-fc', `compdef() { :; }; ${await scriptFor('zsh')}`]);
});

test.skipIf(!isInstalled('fish', '--version'))('fish completes commands and flags', async () => {
  const script = `${await scriptFor('fish')}\ncomplete -C 'card-sandbox clock a'\ncomplete -C 'card-sandbox env --format d'`;
  const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', script]);
  expect(stdout).toContain('advance\t');
  expect(stdout).toContain('dotenv');
});

test('each shell has a script, any other is wrong usage', async () => {
  expect(await scriptFor('zsh')).toMatch(/^#compdef card-sandbox\n/);
  expect(await scriptFor('fish')).toContain(
    "complete -c card-sandbox -n '__card_sandbox_at clock' -f -a 'advance'",
  );
  expect(await runInProcess(['completion', 'csh'])).toMatchObject({ code: 2 });
});
