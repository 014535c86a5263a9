import { URL } from 'node:url';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Client, createClient, type RefusedError, UnreachableError } from '../../client/client.ts';
import { parseUrl } from '../../core/values/parse-url.ts';
import { networkFetch } from '../../sandbox/transport/fetch-api.ts';
import { controlTokenFlag } from '../flags.ts';

const DEFAULT_URL = 'http://127.0.0.1:4242';

export interface ConnectionFlags {
  readonly url: string;
  readonly world?: string | undefined;
  readonly controlToken?: string | undefined;
  readonly json?: true;
  /** The only field to print, for commands that print one record. */
  readonly print?: string;
}

export function connectionFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'address of the sandbox')
        .env('CARD_SANDBOX_URL')
        .argParser(sandboxUrl)
        .default(DEFAULT_URL, DEFAULT_URL),
    )
    .addOption(worldFlag())
    .addOption(controlTokenFlag())
    .option('--json', 'print JSON, for programs');
}

export function worldFlag(): Option {
  return new Option('--world <id>', 'world of the sandbox (default: main)').env('CARD_SANDBOX_WORLD');
}

interface Address extends Pick<ConnectionFlags, 'world' | 'controlToken'> {
  readonly url?: string | undefined;
}

/** Returns a client for the world `--world` of the sandbox at `--url`. */
export function connect({ url = DEFAULT_URL, world, controlToken }: Address): Client {
  return createClient({ url, world: world || undefined, controlToken, fetch: networkFetch });
}

export function callErrorMessage(error: UnreachableError | RefusedError): string {
  if (error instanceof UnreachableError) {
    return `${error.message}; start one with card-sandbox start, or pass its address with --url or CARD_SANDBOX_URL`;
  }
  if (error.status === 404 && /^no world "/.test(error.message)) {
    return `${error.message}; create one with card-sandbox worlds add, or pass another id with --world or CARD_SANDBOX_WORLD`;
  }
  if (error.status !== 401 || !/control token/.test(error.message)) return error.message;
  return 'the control token is missing or wrong; pass the one printed at start with --control-token or CARD_SANDBOX_CONTROL_TOKEN';
}

export function sandboxUrl(text: string): string {
  const url = parseUrl(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    !/^\/(_sandbox\/?)?$/.test(url.pathname) ||
    url.search !== ''
  ) {
    throw new InvalidArgumentError(`It must be the address of a sandbox, such as ${DEFAULT_URL}.`);
  }
  return url.origin;
}

export function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}
