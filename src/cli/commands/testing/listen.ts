import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Option } from 'commander';
import { createNameTranslator, type Names, type NameTranslator } from '../../../kernel/request/names.ts';
import { onPost, readWebhook } from '../../../scenarios/receiver/incoming.ts';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { namesFlag, portNumber, visibleText } from '../../flags.ts';
import { jsonReceived, prettyReceived, type Received } from '../../log/received-webhook.ts';
import { isUnread, print, progress } from '../../output/print.ts';
import { answerIn, inWords, type ResponseMode, responseModes } from './response-modes.ts';

interface ListenFlags {
  readonly port: number;
  readonly host: string;
  readonly secret?: string;
  readonly respond: readonly ResponseMode[];
  readonly names?: Names;
  readonly json?: true;
}

const AFTER = `
A delivery whose signature is wrong is answered with 401, every other as --respond says. Without a secret
signatures are not checked. Ctrl-C ends it, with exit code 0.
${examples('listen --secret a-secret-of-some-length', 'listen --port 4300 --respond 500,500,200', 'listen --respond slow:3s --json')}`;

/** Adds `listen`, a webhook receiver that verifies, prints and answers as it is told. */
export const addListen: AddCommands = program => {
  commandAt(program, ['listen'])
    .description('Receive webhooks: verify and print each, and answer with chosen failures.')
    .option('--port <number>', 'port to listen on; 0 picks a free one', portNumber, 4243)
    .addOption(
      new Option('--host <name>', 'name or address to listen on')
        .argParser(visibleText)
        .default('127.0.0.1', '127.0.0.1'),
    )
    .addOption(new Option('--secret <secret>', 'the webhook secret').env('SERVICE_WEBHOOK_SECRET'))
    .addOption(
      new Option('--respond <answers>', 'statuses, hang, drop or slow:3s, with commas; the last is repeated')
        .argParser(responseModes)
        .default([{ kind: 'status', status: 200 }], '200'),
    )
    .addOption(namesFlag())
    .option('--json', 'print one line of JSON for each delivery')
    .addHelpText('after', AFTER)
    .action((flags: ListenFlags) => listen(flags));
};

async function listen(flags: ListenFlags): Promise<void> {
  const receiver = new Receiver(flags);
  const server = createServer(onPost((...posted) => receiver.take(...posted)));
  const url = await listening(server, flags);
  if (flags.json) print(JSON.stringify({ type: 'listening', url }));
  else progress(`receiving webhooks at ${url}`);
  await new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    receiver.onUnread = resolve;
  });
  server.close();
  server.closeAllConnections();
}

function listening(server: Server, { port, host }: ListenFlags): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code})`;
      reject(new Error(`port ${port} on ${host} ${why}; pass another --port, 0 for a free one`));
    });
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' ? address?.port : port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}

class Receiver {
  /** Called when nobody reads what is printed any more. */
  onUnread: () => void = () => undefined;
  readonly #flags: ListenFlags;
  readonly #words: NameTranslator | null;
  readonly #attempts = new Map<string, number>();
  #answered = 0;

  constructor(flags: ListenFlags) {
    this.#flags = flags;
    this.#words = createNameTranslator(flags.names ?? {});
  }

  take(raw: Buffer, request: IncomingMessage, response: ServerResponse): void {
    const { json } = this.#flags;
    // What `env` prints for a partner without a secret is empty.
    const secret = this.#flags.secret || null;
    const named = (header: string) => this.#words?.text(header) ?? header;
    const { id, eventType, body, problem } = readWebhook(raw, request.headers, secret, named);
    const manner = problem === null ? this.#nextManner() : { kind: 'status' as const, status: 401 };
    const received: Received = {
      id,
      eventType,
      attempt: id === null ? 1 : this.#count(id),
      signature: secret === null ? 'unchecked' : problem === null ? 'valid' : 'invalid',
      problem,
      answer: inWords(manner),
      path: request.url ?? '/',
      body,
    };
    print(json ? jsonReceived(received) : prettyReceived(received));
    answerIn(manner, request, response);
    if (isUnread()) this.onUnread();
  }

  #nextManner(): ResponseMode {
    const { respond } = this.#flags;
    const manner = respond[Math.min(this.#answered, respond.length - 1)];
    this.#answered += 1;
    return manner ?? { kind: 'status', status: 200 };
  }

  #count(id: string): number {
    const attempt = (this.#attempts.get(id) ?? 0) + 1;
    this.#attempts.set(id, attempt);
    return attempt;
  }
}
