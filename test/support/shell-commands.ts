import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { runInProcess } from './cli-in-process.ts';
import type { AtEnd } from './cli-process.ts';

/**
 * Commands that talk to a running sandbox and end by themselves. Others serve, start a program, read their terminal or wait
 * for what a command beside them does.
 */
const SHORT = [
  ...'assumptions balance card-programs cardholders cards challenges checkpoints clock coverage env'.split(
    ' ',
  ),
  ...'faults fixtures forward history info kyc-sessions openapi partners requests reset'.split(' '),
  ...'resources share-tokens simulate state transactions trigger webhooks worlds'.split(' '),
  ...['events list', 'events show', 'events redeliver'],
];

/**
 * Runs the short commands of shell scripts in this process, for which a process of its own would take some twenty times as
 * long. Resolves with the lines of `sh` that do so at the start of a script named `card-sandbox`, and otherwise do nothing.
 */
export async function serveShortCommands(atEnd: AtEnd = onTestFinished): Promise<string> {
  const server = createServer(async (request, response) => {
    const [folder = '', count = '', ...texts] = (await buffer(request)).toString().split('\0');
    const words = texts.slice(0, Number(count));
    const variables = Object.fromEntries(
      texts.slice(words.length, -1).map(each => [each.split('=', 1)[0], each.slice(each.indexOf('=') + 1)]),
    );
    const before = process.cwd();
    process.chdir(folder);
    const { code, stdout, stderr } = await runInProcess(words, variables).finally(() =>
      process.chdir(before),
    );
    response.end(`printf %s ${quoted(stdout)}; printf %s ${quoted(stderr)} >&2; exit ${code}\n`);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => void server.close());
  // The address of a server that listens on a port is an object.
  const { port } = server.address() as { port: number };
  return `case "$* " in
  ${SHORT.map(words => `"${words} "*`).join(' | ')})
    eval "$({ printf '%s\\0' "$PWD" $# "$@"; env -0; } | curl -s --data-binary @- http://127.0.0.1:${port})";;
esac
`;
}

/** A text as one word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
