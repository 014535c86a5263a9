import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Option } from 'commander';
import { createNameTranslator, type Names, type NameTranslator } from '../../../kernel/request/names.ts';
import { onPost, readWebhook } from '../../../scenarios/receiver/incoming.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { namesFlag, portNumber, visibleText } from '../../flags.ts';
import { jsonWebhook, prettyWebhook, type ReceivedWebhook } from '../../log/received-webhook.ts';
import { isUnread, print, progress } from '../../output/print.ts';
import { modeText, type ResponseMode, respond, responseModes } from './response-modes.ts';

interface ListenFlags {
  readonly port: number;
  readonly host: string;
  readonly secret?: string;
  readonly respond: readonly ResponseMode[];
  readonly names?: Names;
  readonly json?: true;
}

const AFTER = `
A delivery with an invalid signature gets 401, every other the response of --respond. Without a secret, signatures
are not checked. Ctrl-C stops it, with exit code 0.
${examples('listen --secret a-secret-of-some-length', 'listen --port 4300 --respond 500,500,200', 'listen --respond slow:3s --json')}`;

/** Adds `listen`, a webhook receiver that verifies, prints and responds as its flags say. */
export const add: AddCommand = program => {
  commandAt(program, ['listen'])
    .description('Receive webhooks: verify and print each one, and respond with failures of your choice.')
    .option('--port <number>', 'port to listen on; 0 picks a free one', portNumber, 4243)
    .addOption(
      new Option('--host <name>', 'name or address to listen on')
        .argParser(visibleText)
        .default('127.0.0.1', '127.0.0.1'),
    )
    .addOption(new Option('--secret <secret>', 'the webhook secret').env('SERVICE_WEBHOOK_SECRET'))
    .addOption(
      new Option(
        '--respond <answers>',
        'comma-separated statuses, hang, drop or slow:3s; the last is repeated',
      )
        .argParser(responseModes)
        .default([{ kind: 'status', status: 200 }], '200'),
    )
    .addOption(namesFlag())
    .option('--json', 'print one line of JSON per delivery')
    .addHelpText('after', AFTER)
    .action((flags: ListenFlags) => listen(flags));
};

async function listen(flags: ListenFlags): Promise<void> {
  const receiver = new Receiver(flags);
  const server = createServer(onPost((...delivery) => receiver.receive(...delivery)));
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
      const reason = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code})`;
      reject(new Error(`port ${port} on ${host} ${reason}; pass another --port, or 0 for a free one`));
    });
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' ? address?.port : port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}

class Receiver {
  /** Called when the reader of standard output is gone. */
  onUnread: () => void = () => undefined;
  readonly #flags: ListenFlags;
  readonly #names: NameTranslator | null;
  readonly #attempts = new Map<string, number>();
  #responses = 0;

  constructor(flags: ListenFlags) {
    this.#flags = flags;
    this.#names = createNameTranslator(flags.names ?? {});
  }

  receive(raw: Buffer, request: IncomingMessage, response: ServerResponse): void {
    const { json } = this.#flags;
    // `env` prints an empty secret for a partner without one.
    const secret = this.#flags.secret || null;
    const headerName = (header: string) => this.#names?.text(header) ?? header;
    const { id, eventType, body, problem } = readWebhook(raw, request.headers, secret, headerName);
    const mode = problem === null ? this.#nextMode() : { kind: 'status' as const, status: 401 };
    const webhook: ReceivedWebhook = {
      id,
      eventType,
      attempt: id === null ? 1 : this.#countAttempt(id),
      signature: secret === null ? 'unchecked' : problem === null ? 'valid' : 'invalid',
      problem,
      answer: modeText(mode),
      path: request.url ?? '/',
      body,
    };
    print(json ? jsonWebhook(webhook) : prettyWebhook(webhook));
    respond(mode, request, response);
    if (isUnread()) this.onUnread();
  }

  #nextMode(): ResponseMode {
    const { respond: modes } = this.#flags;
    const mode = modes[Math.min(this.#responses, modes.length - 1)];
    this.#responses += 1;
    return mode ?? { kind: 'status', status: 200 };
  }

  #countAttempt(id: string): number {
    const attempt = (this.#attempts.get(id) ?? 0) + 1;
    this.#attempts.set(id, attempt);
    return attempt;
  }
}
