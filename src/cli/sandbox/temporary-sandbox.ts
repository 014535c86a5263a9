import type { Command } from 'commander';
import { type Client, createClient } from '../../client/client.ts';
import type { World } from '../../client/generated/records.ts';
import type { CreateWorldOptions } from '../../client/handle.ts';
import { createControlCall } from '../../client/operation-calls.ts';
import { realTime } from '../../core/time/realtime.ts';
import { AbortController, AbortSignal } from '../../core/values/builtins.ts';
import { kebab } from '../../core/values/kebab.ts';
import { messageOf } from '../../core/values/read-thrown.ts';
import { OPTIONS, resolveOptions, WORLD_OPTIONS } from '../../sandbox/options.ts';
import { createFetch } from '../../server/in-process/fetch.ts';
import { toWorldRequest } from '../../server/in-process/world-request.ts';
import { connect } from '../connection/connection.ts';
import { Exit } from '../errors.ts';
import type { Log } from '../log.ts';
import { failure, progress } from '../output/print.ts';
import { abortOnSignals, signalExitCode, unlessAborted } from '../signals.ts';
import { type LaunchFlags, type LaunchHooks, launch, shutDown } from './launch.ts';
import { type ServeFlags, serverFlags } from './sandbox-flags.ts';
import { variablesFor } from './variables.ts';

export interface TemporarySandbox {
  /** Reaches the sandbox whatever the environment says of proxies. */
  readonly client: Client;
  readonly variables: Readonly<Record<string, string>>;
  /** Called once, when the command has ended and everything has been read. */
  release(): Promise<void>;
}

const RELEASE_MS = 5_000;

/** The time to live of a temporary world. Nobody ends it when this process is killed. */
const TEMPORARY_WORLD_TTL = '1m';
const HEARTBEAT_MS = 15_000;

/** Starts a sandbox that is called by one command. Its client calls it in this process. */
export async function startOwnSandbox(
  flags: LaunchFlags,
  log: Log | null,
  hooks: LaunchHooks = {},
): Promise<TemporarySandbox> {
  const { sandbox, server, controlToken } = await launch(flags, log, undefined, hooks);
  const closing = new AbortController();
  const client = createClient({
    url: server.origin,
    controlToken,
    fetch: createFetch(() => sandbox, server.origin, closing.signal),
  });
  const release = () => shutDown({ sandbox, server }).finally(() => closing.abort());
  try {
    const access = { controlToken: server.needsToken ? controlToken : undefined };
    const variables = await ownVariables(client, sandbox.partners()[0], access);
    // Without its own call: a rewind to the oldest entry keeps the secret.
    sandbox.main.history.clear();
    return { client, variables, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Returns the variables of a sandbox that belongs to one command, and stores the secret that they name for a partner
 * without one, so that an app can configure a URL without a secret.
 */
async function ownVariables(
  client: Client,
  partner: Parameters<typeof variablesFor>[1],
  access: Parameters<typeof variablesFor>[2],
): Promise<Readonly<Record<string, string>>> {
  const variables = await variablesFor(client, partner, access);
  const { SERVICE_WEBHOOK_SECRET: secret } = variables;
  if (partner === undefined || !secret) return variables;
  const call = createControlCall(client);
  const { id: partnerId } = partner;
  const { webhookSecret } = await call('webhooks.showConfig', { partnerId });
  if (webhookSecret === null) await call('webhooks.changeConfig', { webhookSecret: secret }, { partnerId });
  return variables;
}

export interface WorldFlags extends ServeFlags {
  readonly on: string;
}

/** Calls a world regularly, so that it does not expire. Returns a function that stops the calls. */
export function keepAlive(client: Client, time = realTime): () => void {
  const scheduleNext = () =>
    time.after(HEARTBEAT_MS, () => {
      const signal = AbortSignal.timeout(HEARTBEAT_MS);
      client.control({ method: 'GET', path: '/clock', signal }).catch(() => undefined);
      cancel = scheduleNext();
    });
  let cancel = scheduleNext();
  return () => cancel();
}

/**
 * Creates a world of a running sandbox, which ends a minute after this process if it is killed. Signals do not end this
 * process until the world is released.
 */
export async function createTemporarySandbox(flags: WorldFlags, time = realTime): Promise<TemporarySandbox> {
  const { on: url, controlToken } = flags;
  const end = abortOnSignals();
  const server = connect({ url, controlToken });
  const options = WORLD_OPTIONS.flatMap(name => (flags[name] === undefined ? [] : [[name, flags[name]]]));
  const create = async () => {
    // Only the look ends at once: a world whose creation is cut short could not be ended.
    await unlessAborted(end.signal, server.info(), 'stopped before the sandbox answered');
    return createWorld(server, {
      ...Object.fromEntries(options),
      ttl: flags.worldTtl ?? TEMPORARY_WORLD_TTL,
    });
  };
  const world = await create().catch(error => {
    end.release();
    const received = end.received();
    throw received === null ? error : new Exit(signalExitCode(received));
  });
  const client = server.inWorld(world.id);
  const stopHeartbeat = keepAlive(client, time);
  const release = async () => {
    stopHeartbeat();
    const signal = AbortSignal.timeout(RELEASE_MS);
    const path = `/worlds/${encodeURIComponent(world.id)}`;
    await client.control({ method: 'DELETE', path, signal }).catch(error => {
      failure(`the world ${world.id} could not be ended: ${messageOf(error)}`);
    });
    end.release();
  };
  try {
    const variables = await ownVariables(client, world.partners[0], { controlToken });
    const received = end.received();
    if (received !== null) throw new Exit(signalExitCode(received));
    return { client, variables, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Why flags of a sandbox do not apply to a world. Flags without an entry apply, or belong to the command. */
const REASONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...Object.keys(OPTIONS), ...Object.keys(serverFlags())].map(name => [
      name,
      'it belongs to the sandbox that runs already; pass it to the start of that one',
    ]),
  ),
  state: 'the running sandbox keeps the state',
  logFormat: 'the running sandbox has the log; card-sandbox tail --world follows one world',
};

export function checkFlags(command: Command, on: string | undefined): void {
  if (on === undefined) return;
  const unused: string[] = [];
  for (const option of command.options) {
    const name = option.attributeName();
    const reason = REASONS[name === 'json' ? 'logFormat' : name];
    if (reason === undefined || ['worldTtl', 'controlToken', 'config', ...WORLD_OPTIONS].includes(name))
      continue;
    const source = command.getOptionValueSource(name);
    if (source === 'config') unused.push(kebab(name));
    if (source !== 'cli') continue;
    command.error(`error: option '${option.flags}' cannot be used with --on: ${reason}`);
  }
  if (unused.length === 0) return;
  const file = command.getOptionValue('config');
  progress(`ignored in ${file}, because they belong to the sandbox at ${on}: ${unused.join(', ')}`);
}

/** Creates a world of the running sandbox. Rejects with an OptionError, and with a FixtureError for its fixtures. */
export async function createWorld(client: Client, options: CreateWorldOptions): Promise<World> {
  const { fixtures: _fixtures, id: _id, from: _from, state: _state, ttl: _ttl, ...shared } = options;
  // Invalid flags are wrong usage, which the server could not say.
  resolveOptions(shared);
  return createControlCall(client)('worlds.create', await toWorldRequest(options, client));
}
