import { onTestFinished } from 'vitest';
import type { DomainEvent } from '../../src/kernel/journal/events.ts';
import { realTime } from '../../src/kernel/time/realtime.ts';
import type { CoreOptions } from '../../src/sandbox/options.ts';
import { type CoreHooks, createSandboxCore } from '../../src/sandbox/sandbox.ts';
import { fakeReceiver } from './receiver.ts';
import { ACME_KEY, GLOBEX_KEY, type Json, START } from './sandbox.ts';

interface Reply {
  readonly status: number;
  readonly body: Json;
}

/** Asks a sandbox: with a key below `/v1`, without one below `/_sandbox`. */
export type Ask = (key: string | null, method: string, path: string, body?: unknown) => Promise<Reply>;

/** A sandbox asked without a server, for properties that need many of them. */
export interface InProcess {
  api(method: string, path: string, body?: unknown): Reply;
  /** Like `api`, as the partner Globex. */
  globex(method: string, path: string, body?: unknown): Reply;
  control(method: string, path: string, body?: unknown): Promise<Reply>;
  readonly ask: Ask;
  /** Every event so far, the oldest first. */
  readonly events: readonly DomainEvent[];
  /** Ends the sandbox; throws the first fault of our own that it told of. */
  stop(): void;
}

/**
 * Builds a sandbox like `startSandbox`, without rate limit and without a server. Wall time stands still, and webhooks
 * are taken by nobody in particular, so that nothing depends on the machine. It is stopped when the test ends.
 */
export function inProcess(options: CoreOptions = {}, hooks: CoreHooks = {}): InProcess {
  const sandbox = openInProcess(options, hooks);
  onTestFinished(sandbox.stop);
  return sandbox;
}

/** The same, for whoever stops it; `create` makes a sandbox out of other code than ours. */
export function openInProcess(
  options: CoreOptions = {},
  hooks: CoreHooks = {},
  create = createSandboxCore,
): InProcess {
  const bugs: unknown[] = [];
  const sandbox = create(
    { fixtures: ['empty'], clock: START, freeze: true, rateLimit: 0, ...options },
    {
      onBug: error => bugs.push(error),
      transport: fakeReceiver().transport,
      realTime: { ...realTime, now: () => Date.parse(START) },
      ...hooks,
    },
  );
  const events: DomainEvent[] = [];
  sandbox.feed.subscribe(news => {
    if (news.kind === 'event') events.push(news.event);
  });
  const request = (method: string, target: string, body: unknown, headers: Record<string, string>) => ({
    method,
    path: target.split('?')[0] ?? '',
    query: target.split('?')[1] ?? '',
    headers: { ...headers, host: '127.0.0.1', 'content-type': 'application/json' },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    remoteAddress: '127.0.0.1',
  });
  const read = ({ status, body }: { status: number; body: string }): Reply => ({
    status,
    body: body === '' ? null : JSON.parse(body),
  });
  const as =
    (key: string): InProcess['api'] =>
    (method, path, body) =>
      read(sandbox.handle(request(method, `/v1${path}`, body, { 'x-service-api-key': key })));
  const control: InProcess['control'] = async (method, path, body) =>
    read(await sandbox.control(request(method, `/_sandbox${path}`, body, {})));
  return {
    api: as(ACME_KEY),
    globex: as(GLOBEX_KEY),
    ask: async (key, ...asked) => (key === null ? control(...asked) : as(key)(...asked)),
    events,
    control,
    stop() {
      sandbox.stop();
      if (bugs.length > 0) throw bugs[0];
    },
  };
}
