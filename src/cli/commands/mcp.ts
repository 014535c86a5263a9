import { type Command, Option } from 'commander';
import pkg from '../../../package.json' with { type: 'json' };
import type { Client } from '../../client/client.ts';
import { kebab } from '../../core/values/kebab.ts';
import { type OptionName, WORLD_OPTIONS } from '../../sandbox/options.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { connect, sandboxUrl, worldFlag } from '../connection/connection.ts';
import { UsageError } from '../errors.ts';
import { controlTokenFlag } from '../flags.ts';
import { optionFlag, type ServeFlags } from '../sandbox/sandbox-flags.ts';
import {
  createTemporarySandbox,
  keepAlive,
  startOwnSandbox,
  type TemporarySandbox,
} from '../sandbox/temporary-sandbox.ts';
import { type EndRequest, withEndRequest } from '../signals.ts';

interface McpFlags extends Pick<ServeFlags, OptionName | 'controlToken'> {
  readonly url?: string;
  readonly world?: string;
  readonly json?: true;
}

const AFTER = `
Speaks the protocol on standard input and output; everything else is printed on standard error. The client gets a
sandbox of its own, on a free port of this process. With --url or CARD_SANDBOX_URL it gets a new world of that sandbox,
and with --world that world. What was made for the client ends with it: when it closes standard input, or on SIGINT,
SIGTERM or SIGHUP. An editor or agent starts this command itself, for example with this entry in its configuration:

  {"mcpServers": {"card-sandbox": {"command": "npx", "args": ["card-sandbox", "mcp"]}}}
${examples('mcp', 'mcp --fixtures starter --freeze', 'mcp --url http://127.0.0.1:4242', 'mcp --world main')}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['mcp'])
    .description('Serve the Model Context Protocol over stdio, for coding agents and editors.')
    .addOption(
      new Option('--url <url>', 'sandbox to create the world in (default: one of its own)')
        .env('CARD_SANDBOX_URL')
        .argParser(sandboxUrl),
    )
    .addOption(worldFlag())
    .addOption(controlTokenFlag());
  for (const name of WORLD_OPTIONS) command.addOption(optionFlag(name));
  command
    .option('--json', 'print a failure as JSON')
    .addHelpText('after', AFTER)
    .action((flags: McpFlags) => {
      const existing = existingWorld(command, flags);
      return withEndRequest(end => mcp(flags, existing, end));
    });
};

function existingWorld(command: Command, { url, world }: McpFlags): string | null {
  // The variable alone says which world of a running sandbox, not that there is one.
  const isNamed = command.getOptionValueSource('world') === 'cli' || url !== undefined;
  if (!world || !isNamed) return null;
  const flag = WORLD_OPTIONS.find(name => command.getOptionValueSource(name) === 'cli');
  if (flag === undefined) return world;
  throw new UsageError(`--${kebab(flag)} is for a new world; leave out --world, or the flag`);
}

async function mcp(flags: McpFlags, existing: string | null, { signal }: EndRequest): Promise<void> {
  const { client, release } = await openWorld(flags, existing);
  try {
    const instructions = await instructionsFor(client, existing === null);
    // Loaded only here: no other command needs the protocol.
    const { serveStdio } = await import('../../server/mcp/server.ts');
    await serveStdio({ client, version: pkg.version, instructions }, signal);
  } finally {
    await release();
  }
}

async function openWorld(
  flags: McpFlags,
  existing: string | null,
): Promise<Omit<TemporarySandbox, 'variables'>> {
  const { url, world: _world, json: _json, ...options } = flags;
  const address = { port: 0, host: '127.0.0.1' };
  if (existing !== null) {
    const client = connect({ ...flags, world: existing });
    const stopHeartbeat = keepAlive(client);
    return { client, release: async () => stopHeartbeat() };
  }
  return url === undefined
    ? startOwnSandbox({ ...options, ...address }, null)
    : createTemporarySandbox({ ...options, ...address, on: url });
}

async function instructionsFor(client: Client, isOwn: boolean): Promise<string> {
  const { baseUrl, partners } = await client.info();
  const [partner] = partners;
  const lifetime = isOwn ? 'It ends with this connection.' : 'Others may use it, too.';
  const key = `API key of ${partner?.name}: ${partner?.apiKey}.`;
  return `A local simulator of a card-issuing API; this is its world ${client.world}. ${lifetime} Base URL for the app under test: ${baseUrl}. ${key} Do not wait for time to pass: advance the clock with the tool time. When a request is refused, what_happened shows the rule.`;
}
