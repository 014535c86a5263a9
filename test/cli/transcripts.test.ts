import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VERSION } from '../../src/core/operation/version.ts';
import { answerOf, receive } from '../sandbox/transport/receiver.ts';
import { runInProcess, serveHere } from '../support/cli-in-process.ts';

const FOLDER = join(import.meta.dirname, 'transcripts');
/** How many webhooks the receiver answers with 500 before it answers with 200. */
const FAILURES = 2;

/** Splits a line as a shell does whose only quotes are single ones. */
const wordsOf = (line: string) =>
  Array.from(line.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word);

/**
 * A transcript begins with the start of a sandbox. Each line of it that begins with `$` is a command, or a request as the partner Acme. `ID` in it is the last
 * id that was shown, `HOOKS` the address of a receiver. What follows is what it printed, without what differs from run to
 * run. `vitest -u` writes it.
 */
test.each((await readdir(FOLDER)).map(file => file.replace('.txt', '')))(
  'the transcript %s shows what commands print and what requests get',
  async name => {
    const file = join(FOLDER, `${name}.txt`);
    const lines = (await readFile(file, 'utf8')).split('\n').filter(line => /^[$#]/.test(line));
    const [start = '', ...others] = lines;
    const [, , , ...flags] = wordsOf(start);
    const { url, ask } = await serveHere(flags);
    let received = 0;
    const receiver = await receive(socket => socket.write(answerOf(received++ < FAILURES ? 500 : 200)));
    const masked = (text: string) =>
      text
        .replaceAll(receiver.url, 'HOOKS')
        .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4242')
        .replaceAll(VERSION, 'VERSION')
        .replaceAll(/"headers":\{[^}]*\}/g, '"headers":{…}')
        .replaceAll(/\bt=\d+,v1=\w+/g, 't=…,v1=…')
        .replaceAll(/(durationMs\W+)\d+/g, '$1…')
        // The names and tokens of a story are new in each run.
        .replaceAll(/-(?=[a-z]*\d)[0-9a-z]{8}\b/g, '-SUFFIX')
        .replaceAll(/…\w{4}\b/g, '…');
    const play = async (program: string, words: readonly string[]) => {
      if (program === 'card-sandbox') {
        const { code, stdout, stderr } = await runInProcess(words, { CARD_SANDBOX_URL: url });
        return `${stdout}${stderr}${code === 0 ? '' : `exit code ${code}\n`}`;
      }
      const [path = '', body] = words;
      const { status, text } = await ask(program, path, body === undefined ? undefined : JSON.parse(body));
      return `${status} ${text}\n`;
    };
    const parts = [`${start}\n`];
    let id = '';
    for (const line of others) {
      const given = line
        .slice(2)
        .replaceAll(/\bID\b/g, id)
        .replaceAll('HOOKS', receiver.url);
      const [program = '', ...words] = wordsOf(given);
      const shown = line.startsWith('$') ? await play(program, words) : '';
      id = /(?:"id":"|^ {2}(?:id|challengeId) +)(\w+)/m.exec(shown)?.[1] ?? id;
      parts.push(`${line}\n${masked(shown)}`);
    }
    await expect(parts.join('\n')).toMatchFileSnapshot(file);
  },
);
