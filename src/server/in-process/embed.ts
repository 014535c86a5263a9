import type { Fetch } from '../../client/call.ts';
import { createClient } from '../../client/client.ts';
import { createHandle } from '../../client/handle/create-handle.ts';
import { currentKeys } from '../../client/handle/partner-keys.ts';
import type { Sandbox } from '../../client/sandbox-handle.ts';
import type { SandboxCore } from '../../sandbox/sandbox.ts';
import { createFetch } from './fetch.ts';
import { toWorldRequest } from './world-request.ts';

/** Where a sandbox in this process is served, and how to stop serving it. */
interface Endpoint {
  readonly url: string;
  readonly controlToken?: string;
  close(): Promise<void>;
}

/** The handle of a sandbox in this process. Its calls bypass the network, which tests may intercept. */
export function embed(
  starting: SandboxCore | Promise<SandboxCore>,
  { url, controlToken, close }: Endpoint,
): Sandbox {
  const closing = new AbortController();
  let core: SandboxCore | undefined;
  let closed: Promise<void> | undefined;
  const setCore = (started: SandboxCore) => {
    core = started;
    if (closing.signal.aborted) started.stop();
  };
  const ready = starting instanceof Promise ? starting.then(setCore) : Promise.resolve(setCore(starting));
  // Every call rejects with the same error, so it need not be handled here.
  ready.catch(() => undefined);
  const fetchNow = createFetch(() => started(core), url, closing.signal);
  const fetchWhenReady: Fetch = (input, init) => ready.then(() => fetchNow(input, init));
  const client = createClient({ url, controlToken, fetch: fetchWhenReady });
  const stop = async () => {
    closing.abort();
    await close();
    core?.stop();
    await core?.saveState();
  };
  return createHandle({
    client,
    keys: currentKeys(() => started(core).partners(), ready),
    ready,
    toWorldRequest,
    close: () => (closed ??= stop()),
  });
}

function started(core: SandboxCore | undefined): SandboxCore {
  if (core !== undefined) return core;
  throw new Error('the fixtures of this sandbox are still being built; await sandbox.ready first');
}
