import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import type { Agent } from 'undici';
import { parseHttpUrl } from '../kernel/values/url.ts';
import type { AttemptOutcome, Transport } from '../kernel/world/transport.ts';
import type { AgentOptions } from './agent.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { destinationOf, type Redirection } from './destination.ts';
import { ATTEMPT_TIMEOUT_MS, CANCELLED, sendRequest } from './send-request.ts';

/** Options of `createHttpTransport`. */
export interface HttpTransportOptions extends Redirection, AgentOptions {
  /** Time from the start of a send to the end of the response, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Cap on concurrent sends to all destinations together. Default: 256. */
  readonly maxSends?: number;
}

/** Cap on concurrent sends to one origin. It is below the total, so that a hanging receiver leaves slots for others. */
const MAX_SENDS_PER_ORIGIN = 128;

/**
 * Creates a transport that sends webhooks over HTTP: POST, without following redirects or decompressing. It reads at
 * most 64 KiB of a response and checks every address when it connects.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { timeoutMs = ATTEMPT_TIMEOUT_MS, maxSends = 256 } = options;
  const closing = new AbortController();
  // A send that an intercepted request causes must not run in the async context of that request.
  const runInOwnContext = AsyncLocalStorage.snapshot();
  // Every connection listens to this signal, so many listeners are not a leak.
  setMaxListeners(0, closing.signal);
  const slots = new ConnectionSlots(maxSends, MAX_SENDS_PER_ORIGIN);
  let agent: Promise<Agent> | undefined;

  const loadAgent = async (): Promise<Agent> => {
    // undici installs its own global dispatcher if there is none, which would change the host's global fetch. Node
    // installs its own when the global Response is first accessed, so this access comes first.
    void globalThis.Response;
    const { createAgent } = await import('./agent.ts');
    return createAgent(options, timeoutMs, closing.signal);
  };

  return {
    async send(webhook, signal) {
      const configured = parseHttpUrl(webhook.url);
      if (configured === null) return failed(webhook.url, 'not an http:// or https:// URL');
      const target = destinationOf(configured, options);
      const release = await slots.take(target.origin, signal);
      if (release === null) return failed(target.href, CANCELLED);
      try {
        agent ??= loadAgent();
        const loaded = await agent;
        if (closing.signal.aborted || signal.aborted) return failed(target.href, CANCELLED);
        const startedAt = performance.now();
        const limits = { timeoutMs, signals: [signal, closing.signal] };
        const result = await runInOwnContext(() => sendRequest(loaded, target, webhook, limits));
        return { url: target.href, ...result, durationMs: Math.round(performance.now() - startedAt) };
      } catch (error) {
        return failed(target.href, `could not be sent: ${error instanceof Error ? error.message : error}`);
      } finally {
        release();
      }
    },
    close() {
      slots.close();
      closing.abort();
      void agent?.then(loaded => loaded.destroy());
    },
  };
}

/** The outcome of a webhook that was not sent. */
function failed(url: string, cause: string): AttemptOutcome {
  return { url, status: null, body: null, cause, durationMs: 0 };
}
