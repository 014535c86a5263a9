import { onTestFinished } from 'vitest';
import type { DomainEvent } from '../../src/core/journal/events.ts';
import { realTime } from '../../src/core/time/realtime.ts';
import type { CoreOptions } from '../../src/sandbox/options.ts';
import { type CoreHooks, createSandboxCore } from '../../src/sandbox/sandbox.ts';
import { fakeReceiver } from './receiver.ts';
import { ACME_KEY, GLOBEX_KEY, type Json, START } from './sandbox.ts';

/** A response with its parsed body. */
interface JsonResponse {
  readonly status: number;
  readonly body: Json;
}

/** Sends a request: with a key below `/v1`, without one below `/_sandbox`. */
export type SendRequest = (
  key: string | null,
  method: string,
  path: string,
  body?: unknown,
) => Promise<JsonResponse>;

/** A sandbox without a server, for tests that need many of them. */
export interface InProcess {
  api(method: string, path: string, body?: unknown): JsonResponse;
  /** Like `api`, as the partner Globex. */
  globex(method: string, path: string, body?: unknown): JsonResponse;
  control(method: string, path: string, body?: unknown): Promise<JsonResponse>;
  readonly send: SendRequest;
  /** All events so far, oldest first. */
  readonly events: readonly DomainEvent[];
  /** Stops the sandbox. Throws the first internal error that it reported. */
  stop(): void;
}

/**
 * Builds a sandbox like `startSandbox`, without a rate limit and without a server. Wall time is frozen, and a fake
 * receiver accepts webhooks, so that nothing depends on the machine. Stops the sandbox when the test ends.
 */
export function startInProcess(options: CoreOptions = {}, hooks: CoreHooks = {}): InProcess {
  const sandbox = openInProcess(options, hooks);
  onTestFinished(sandbox.stop);
  return sandbox;
}

/** Builds the same sandbox for callers that stop it; `create` replaces the constructor. */
export function openInProcess(
  options: CoreOptions = {},
  hooks: CoreHooks = {},
  create = createSandboxCore,
): InProcess {
  const bugs: unknown[] = [];
  const sandbox = create(
    { fixtures: ['empty'], clock: START, freeze: true, retrySpeed: 60, rateLimit: 0, ...options },
    {
      onBug: error => bugs.push(error),
      transport: fakeReceiver().transport,
      realTime: { ...realTime, now: () => Date.parse(START) },
      ...hooks,
    },
  );
  const events: DomainEvent[] = [];
  sandbox.feed.subscribe(message => {
    if (message.kind === 'event') events.push(message.event);
  });
  const requestTo = (method: string, target: string, body: unknown, headers: Record<string, string>) => ({
    method,
    path: target.split('?')[0] ?? '',
    query: target.split('?')[1] ?? '',
    headers: { ...headers, host: '127.0.0.1', 'content-type': 'application/json' },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    remoteAddress: '127.0.0.1',
  });
  const parse = ({ status, body }: { status: number; body: string }): JsonResponse => ({
    status,
    body: body === '' ? null : JSON.parse(body),
  });
  const as =
    (key: string): InProcess['api'] =>
    (method, path, body) =>
      parse(sandbox.handle(requestTo(method, `/v1${path}`, body, { 'x-service-api-key': key })));
  const control: InProcess['control'] = async (method, path, body) => {
    const response = await sandbox.control(requestTo(method, `/_sandbox${path}`, body, {}));
    const pieces: Uint8Array[] = [];
    for await (const piece of response.content ?? []) pieces.push(piece);
    return parse({ status: response.status, body: response.body + Buffer.concat(pieces).toString() });
  };
  return {
    api: as(ACME_KEY),
    globex: as(GLOBEX_KEY),
    send: async (key, ...request) => (key === null ? control(...request) : as(key)(...request)),
    events,
    control,
    stop() {
      sandbox.stop();
      if (bugs.length > 0) throw bugs[0];
    },
  };
}
