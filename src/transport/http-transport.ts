import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import type { Agent } from 'undici';
import { parseHttpUrl } from '../kernel/values/url.ts';
import type { AttemptOutcome, Transport } from '../kernel/world/transport.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { destinationOf, type Redirection } from './destination.ts';
import type { Egress, OwnAddress } from './egress.ts';
import type { Resolve } from './resolve.ts';
import { ATTEMPT_TIMEOUT_MS, CALLED_OFF, sendRequest } from './send-request.ts';

/** How webhooks go out over HTTP. */
export interface HttpTransportOptions extends Redirection {
  readonly egress: Egress;
  /** Certificates in PEM trusted besides the well-known ones. */
  readonly ca: string | undefined;
  /** Takes any certificate. */
  readonly insecureTls: boolean;
  /** Where the sandbox itself listens, once it does: never a destination. */
  readonly ownAddress: () => OwnAddress | null;
  /** Time from the beginning of a send to the end of its answer. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Sends at once, to all destinations together. Default: 256. */
  readonly mostAtOnce?: number;
  /** Finds the addresses of a host. Default: the machine does. */
  readonly resolve?: Resolve;
}

/** Sends at once to one origin: fewer than in all, so that one that hangs leaves places for the others. */
const MOST_TO_ONE = 128;

/**
 * A transport that sends over HTTP, as webhooks are sent: POST, redirects not followed, at most 64 KiB of an answer
 * read, nothing unpacked, every address checked when it is connected to.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { timeoutMs = ATTEMPT_TIMEOUT_MS, mostAtOnce = 256 } = options;
  const closing = new AbortController();
  // What is sent because of an intercepted request would be taken for a part of it.
  const ownContext = AsyncLocalStorage.snapshot();
  // Every connection listens to it, which is no leak.
  setMaxListeners(0, closing.signal);
  const places = new ConnectionSlots(mostAtOnce, MOST_TO_ONE);
  let agent: Promise<Agent> | undefined;

  const load = async (): Promise<Agent> => {
    // Without a global agent undici puts its own behind the global fetch. Node has one ready, and this makes it
    // known: whoever embeds a sandbox keeps the fetch that they had.
    void globalThis.Response;
    const { createAgent } = await import('./agent.ts');
    return createAgent(options, timeoutMs, closing.signal);
  };

  return {
    async send(outgoing, signal) {
      const configured = parseHttpUrl(outgoing.url);
      if (configured === null) return unsent(outgoing.url, 'not an http:// or https:// URL');
      const target = destinationOf(configured, options);
      const leave = await places.take(target.origin, signal);
      if (leave === null) return unsent(target.href, CALLED_OFF);
      try {
        agent ??= load();
        const ready = await agent;
        if (closing.signal.aborted || signal.aborted) return unsent(target.href, CALLED_OFF);
        const began = performance.now();
        const limits = { timeoutMs, endings: [signal, closing.signal] };
        const verdict = await ownContext(() => sendRequest(ready, target, outgoing, limits));
        return { url: target.href, ...verdict, durationMs: Math.round(performance.now() - began) };
      } catch (error) {
        return unsent(target.href, `could not be sent: ${error instanceof Error ? error.message : error}`);
      } finally {
        leave();
      }
    },
    close() {
      places.close();
      closing.abort();
      void agent?.then(each => each.destroy());
    },
  };
}

function unsent(url: string, cause: string): AttemptOutcome {
  return { url, status: null, body: null, cause, durationMs: 0 };
}
