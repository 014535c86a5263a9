import { onTestFinished } from 'vitest';
import type { CoreOptions } from '../../src/sandbox/options.ts';
import type { CoreHooks } from '../../src/sandbox/sandbox.ts';
import { createSandboxCore } from '../../src/sandbox/sandbox.ts';
import { VALID_INPUTS } from '../../src/sandbox/valid-inputs.ts';
import { type CreateStories, serve } from '../../src/server/http/server.ts';
import { createStories } from '../../src/tools/scenarios/present/create-stories.ts';
import type { AtEnd } from './cli-process.ts';
import { committed } from './contract.ts';
import { send } from './send.ts';

/** Keys of the two partners of every built-in fixture. */
export const ACME_KEY = 'sk_test_acme_0123456789abcdef';
export const GLOBEX_KEY = 'sk_test_globex_0123456789abcdef';
/** The start of frozen clocks, so that timestamps are predictable. */
export const START = '2026-03-15T10:00:00.000Z';

/** Parsed JSON. Tests read fields from it and compare them. */
// biome-ignore lint/suspicious/noExplicitAny: its shape is what tests check
export type Json = any;

/** A response with its parsed body. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** A running sandbox and shortcuts to call it. Paths are below `/v1` for `api`, below `/_sandbox` for `control`. */
export interface TestSandbox {
  readonly origin: string;
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  control(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Like `api`, as the partner Globex. */
  globex(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Stops the sandbox before the test ends. Its state file is as the last save left it. */
  stop(): void;
}

/**
 * Starts a sandbox on a free port, by default with the fixture `empty`, its clock frozen at START and retries
 * after seconds instead of minutes. Stops it when the test ends, or when `atEnd` says.
 */
export async function startSandbox(
  options: CoreOptions = {},
  hooks: CoreHooks = {},
  server: {
    host?: string;
    allowHost?: readonly string[];
    trustProxy?: boolean;
    controlToken?: string;
    requireToken?: boolean;
    createStories?: CreateStories;
  } = {},
  atEnd: AtEnd = onTestFinished,
): Promise<TestSandbox> {
  const sandbox = createSandboxCore(
    { fixtures: ['empty'], clock: START, freeze: true, retrySpeed: 60, ...options },
    hooks,
  );
  const running = await serve(sandbox, {
    port: 0,
    host: '127.0.0.1',
    trustProxy: false,
    controlToken: 'control-token',
    createStories,
    ...server,
  });
  atEnd(async () => {
    sandbox.stop();
    await running.close(0);
  });
  let hasFaults = false;
  const ask = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Reply> => {
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    const { text, ...response } = await send(running.origin + path, {
      method,
      headers: { ...content, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const received = { ...response, body: text === '' ? null : JSON.parse(text) };
    // From here on faults can change responses.
    hasFaults ||=
      (method === 'POST' && /^\/_sandbox(\/worlds\/[^/]+)?\/faults$/.test(path)) || hasFault(headers);
    if (!hasFaults && options.assume === undefined) checkContract(method, path, received);
    return received;
  };
  const as =
    (key: string) => (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
      ask(method, `/v1${path}`, body, { 'x-service-api-key': key, ...headers });
  return {
    origin: running.origin,
    api: as(ACME_KEY),
    globex: as(GLOBEX_KEY),
    control: (method, path, body, headers = {}) => ask(method, `/_sandbox${path}`, body, headers),
    stop: () => sandbox.stop(),
  };
}

function hasFault(headers: Record<string, string>): boolean {
  return Object.keys(headers).some(name => name.toLowerCase() === 'x-sandbox-fault');
}

/** Throws when the OpenAPI document does not allow a response. */
function checkContract(method: string, target: string, reply: Reply): void {
  const [, prefix, path = ''] = /^(\/v1|\/_sandbox)(\/[^?]*)/.exec(target) ?? [];
  if (prefix === undefined) return;
  const contract = prefix === '/v1' ? committed.partner() : committed.control();
  const violations = contract.violations({ method, path, ...reply });
  if (violations.length === 0) return;
  const what = `${method} ${target} returned ${reply.status} ${JSON.stringify(reply.body)}`;
  throw new Error(
    `${what}, which docs/openapi*.json does not allow (npm run docs updates it): ${violations.join('; ')}`,
  );
}

let cardholders = 0;

/** A body that creates a new cardholder with a new magic share token. */
export function newCardholder(fields: Record<string, unknown> = {}): Record<string, unknown> {
  cardholders += 1;
  return {
    ...VALID_INPUTS['cardholders.create'][0].body,
    externalUserId: `user_${cardholders}`,
    email: `user_${cardholders}@example.com`,
    idp1ShareToken: `idp1_test_approve_${cardholders}`,
    ...fields,
  };
}
