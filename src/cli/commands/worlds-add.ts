import type { Command } from 'commander';
import type { World } from '../../client/generated/records.ts';
import type { CreateWorldOptions } from '../../client/handle.ts';
import { WORLD_OPTIONS } from '../../sandbox/options.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { printFlag } from '../flags.ts';
import { parseJsonObject } from '../from-operations/command-input.ts';
import { checkPrintFlag } from '../from-operations/print-flag.ts';
import { colour } from '../output/print.ts';
import { outputBody } from '../output/response.ts';
import { layOut, type Row } from '../output/show.ts';
import { optionFlag } from '../sandbox/sandbox-flags.ts';
import { createWorld } from '../sandbox/temporary-sandbox.ts';

interface WorldFlags extends ConnectionFlags, Omit<CreateWorldOptions, 'id' | 'state'> {
  readonly state?: string;
}

const AFTER = `
Omitted options default to the server's. Files of fixtures and states are read here and sent to the sandbox.
Pass the id to other commands with --world or CARD_SANDBOX_WORLD. Idle worlds expire.
${examples(
  'worlds add blue',
  'worlds add --fixtures empty ./people.yaml --freeze --ttl 10m',
  'worlds add demo --from main',
  'env --world blue --format dotenv > .env.sandbox',
)}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['worlds', 'add'])
    .description('Create a world: a sandbox with a clock, records and API keys of its own.')
    .argument('[id]', 'id of the world (default: generated)');
  // Without defaults: the sandbox has them.
  for (const name of WORLD_OPTIONS) command.addOption(optionFlag(name, false));
  command
    .option('--no-freeze', 'let the clock run even if the sandbox started frozen')
    .option('--from <id>', 'world to copy as it is now')
    .option('--state <file>', 'saved state to load')
    .option('--ttl <duration>', 'end it when nobody has called it for this time; 0 for never');
  connectionFlags(printFlag(command))
    .addHelpText('after', AFTER)
    .action((id: string | undefined, flags: WorldFlags) => addWorld(command, id, flags));
};

async function addWorld(command: Command, id: string | undefined, flags: WorldFlags): Promise<void> {
  const { url, world, controlToken, json: _json, print: _print, state: file, ...options } = flags;
  checkPrintFlag(command, ['worlds.create']);
  const state = file === undefined ? {} : { state: parseJsonObject(command, `@${file}`, 'the file') };
  const created = await createWorld(connect({ url, world, controlToken }), {
    ...options,
    ...(id === undefined ? {} : { id }),
    ...state,
  });
  return outputBody(created, flags, describe);
}

function describe({ id, partners, controlUrl, dashboardUrl }: World): string {
  const keys = partners.map(({ name, apiKey }): Row => [`Key of ${name}`, apiKey, colour.green]);
  return layOut([
    ['World', id, colour.bold],
    ...keys,
    ['Control plane', controlUrl, colour.cyan],
    ['Dashboard', dashboardUrl, colour.cyan],
  ]).join('\n');
}
