import { constants } from 'node:os';
import type { Command } from 'commander';
import { OPTIONS, WORLD_OPTIONS } from '../../../sandbox/options.ts';
import { connect } from '../../connection/connection.ts';
import { createWorld } from '../../connection/new-world.ts';
import { ensureWebhookSecret } from '../../connection/webhook-secret.ts';
import { Exit } from '../../exit.ts';
import { failure } from '../../output/print.ts';
import { type ServeFlags, serverFlags } from '../sandbox/sandbox-flags.ts';
import { sandboxVariables } from '../sandbox/variables.ts';
import type { LentSandbox } from './lent-sandbox.ts';

/** The flags of a world that lives as long as a command. */
export interface WorldFlags extends ServeFlags {
  /** The address of the running sandbox. */
  readonly on: string;
  readonly from?: string | undefined;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What shells add to the number of a signal. */
const SIGNAL_BASE = 128;
/** How long the sandbox may take to end the world. */
const RELEASE_MS = 5_000;

/** Why flags of a sandbox do not apply to a world. Flags without an entry apply, or are those of the command. */
const REASONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...Object.keys(OPTIONS), ...Object.keys(serverFlags(0))].map(name => [
      name,
      'it belongs to the sandbox that runs already; pass it to the start of that one',
    ]),
  ),
  state: 'the running sandbox keeps the state; --state-on-failure saves that of the world',
  logFormat: 'the log is that of the running sandbox; card-sandbox tail --world follows one world',
};

/** Reports flags that contradict `--on`, or need it, as wrong usage. */
export function checkFlags(command: Command, on: string | undefined): void {
  const isSet = (name: string) => command.getOptionValueSource(name) === 'cli';
  if (on === undefined) {
    if (isSet('from')) command.error("error: option '--from <id>' requires --on");
    return;
  }
  for (const option of command.options) {
    const name = option.attributeName();
    const reason = REASONS[name === 'json' ? 'logFormat' : name];
    const applies = ['worldTtl', 'controlToken', ...WORLD_OPTIONS].includes(name);
    if (reason === undefined || applies || !isSet(name)) continue;
    command.error(`error: option '${option.flags}' cannot be used with --on: ${reason}`);
  }
}

/** Creates a world of a running sandbox. Signals do not end this process until it is released. */
export async function lendWorld(flags: WorldFlags): Promise<LentSandbox> {
  const { on: url, from, worldTtl, controlToken = process.env.CARD_SANDBOX_CONTROL_TOKEN } = flags;
  const signals = holdSignals();
  const server = connect({ url, controlToken });
  const options = WORLD_OPTIONS.flatMap(name => (flags[name] === undefined ? [] : [[name, flags[name]]]));
  const world = await createWorld(server, {
    ...Object.fromEntries(options),
    ...(from === undefined ? {} : { from }),
    ...(worldTtl === undefined ? {} : { ttl: worldTtl }),
  }).catch(error => {
    signals.release();
    throw error;
  });
  const client = server.inWorld(world.id);
  const release = async () => {
    const signal = AbortSignal.timeout(RELEASE_MS);
    const path = `/worlds/${encodeURIComponent(world.id)}`;
    await client.control({ method: 'DELETE', path, signal }).catch(error => {
      failure(`the world ${world.id} could not be ended: ${error instanceof Error ? error.message : error}`);
    });
    signals.release();
  };
  try {
    const [partner] = world.partners;
    const variables = sandboxVariables({
      url: client.url,
      world: client.world,
      baseUrl: client.baseUrl,
      apiKey: partner?.apiKey ?? '',
      webhookSecret: partner === undefined ? '' : await ensureWebhookSecret(client, partner.id, flags.seed),
      controlToken,
    });
    signals.check();
    return { client, variables, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Keeps signals from ending this process until they are released. `check` throws an Exit after a signal. */
function holdSignals() {
  let received: NodeJS.Signals | null = null;
  const hold = (signal: NodeJS.Signals) => {
    received = signal;
  };
  for (const signal of SIGNALS) process.on(signal, hold);
  return {
    check() {
      if (received !== null) throw new Exit(SIGNAL_BASE + constants.signals[received]);
    },
    release() {
      for (const signal of SIGNALS) process.off(signal, hold);
    },
  };
}
