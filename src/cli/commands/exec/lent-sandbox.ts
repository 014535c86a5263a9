import { type Client, createClient } from '../../../client/client.ts';
import type { SandboxCore } from '../../../sandbox/sandbox.ts';
import { createFetch } from '../../../server/in-process/fetch.ts';
import { ensureWebhookSecret } from '../../connection/webhook-secret.ts';
import type { Log } from '../../log/log.ts';
import { reportSave } from '../../output/saved.ts';
import { type Launched, type LaunchFlags, type LaunchHooks, launch } from '../sandbox/launch.ts';
import { sandboxVariables } from '../sandbox/variables.ts';

/** A sandbox that a command can call while it runs. */
export interface LentSandbox {
  /** Reaches the sandbox whatever the environment says of proxies. */
  readonly client: Client;
  /** What the command needs to call the sandbox. */
  readonly variables: Readonly<Record<string, string>>;
  /** Called once, when the command has ended and everything has been read. */
  release(): Promise<void>;
}

/** How long requests in flight may take to finish once the command has ended. */
const GRACE_MS = 1_000;

/** What attends a sandbox: it is called with what happens there, and may change it once it has started. */
export interface Attendant {
  readonly hooks: LaunchHooks;
  attach(sandbox: SandboxCore, controlToken: string): void;
}

/** Starts a sandbox that is called by one command. Its client calls it in this process. */
export async function startOwnSandbox(
  flags: LaunchFlags,
  log: Log | null,
  attendant?: Attendant,
): Promise<LentSandbox> {
  const launched = await launch(flags, log, undefined, attendant?.hooks);
  const { sandbox, server, controlToken } = launched;
  const closing = new AbortController();
  const client = createClient({
    url: server.origin,
    controlToken,
    fetch: createFetch(() => sandbox, server.origin, closing.signal),
  });
  const release = async () => {
    await server.close(GRACE_MS);
    closing.abort();
    try {
      reportSave(await sandbox.saveState());
    } finally {
      sandbox.stop();
    }
  };
  try {
    const variables = await variablesFor(launched, client, flags.seed);
    attendant?.attach(sandbox, controlToken);
    return { client, variables, release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function variablesFor(
  { sandbox, server, controlToken }: Launched,
  client: Client,
  seed: number | undefined,
) {
  const [partner] = sandbox.partners();
  return sandboxVariables({
    url: client.url,
    world: client.world,
    baseUrl: client.baseUrl,
    apiKey: partner?.apiKey ?? '',
    webhookSecret: partner === undefined ? '' : await ensureWebhookSecret(client, partner.id, seed),
    controlToken: server.needsToken ? controlToken : undefined,
  });
}
