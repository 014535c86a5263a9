import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Client, createClient, type RefusedError, UnreachableError } from '../../client/client.ts';
import { visibleText } from '../flags.ts';

/** Where a sandbox is expected unless told otherwise. */
const DEFAULT_URL = 'http://127.0.0.1:4242';

/** The flags of every command that talks to a running sandbox. */
export interface ConnectionFlags {
  readonly url: string;
  readonly controlToken?: string;
  readonly json?: true;
}

/** Adds the flags by which a command finds a running sandbox, and `--json`. */
export function connectionFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'address of the sandbox')
        .env('CARD_SANDBOX_URL')
        .argParser(sandboxUrl)
        .default(DEFAULT_URL, DEFAULT_URL),
    )
    .addOption(
      new Option('--control-token <token>', 'its control token, which is needed beyond loopback')
        .env('CARD_SANDBOX_CONTROL_TOKEN')
        .argParser(visibleText),
    )
    .option('--json', 'print JSON, for programs');
}

/** A client for the sandbox that the flags name. */
export function connect({ url, controlToken }: ConnectionFlags): Client {
  return createClient({ url, controlToken });
}

/** What a failed call means for whoever typed the command: one line that says what is wrong and what to do. */
export function explainCall(error: UnreachableError | RefusedError): string {
  if (error instanceof UnreachableError) {
    return `${error.message}; start one with card-sandbox start, or name its address with --url or CARD_SANDBOX_URL`;
  }
  if (error.status !== 401 || !/control token/.test(error.message)) return error.message;
  return 'the sandbox asks for its control token, and none or another one was given; pass the one printed at its start with --control-token or CARD_SANDBOX_CONTROL_TOKEN';
}

/** A flag's value as the address of a sandbox. */
export function sandboxUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '') {
    throw new InvalidArgumentError(`It must be the address of a sandbox, such as ${DEFAULT_URL}.`);
  }
  return url.origin;
}
