import { isObject } from '../../core/request/input.ts';
import { isError } from '../../core/values/is-error.ts';
import { readListenHost } from '../../core/values/listen-host.ts';
import { suggestion } from '../../core/values/nearest.ts';
import { parseUrl } from '../../core/values/parse-url.ts';
import { API_PREFIX } from '../../core/values/plane.ts';
import { OPTIONS, OptionError } from '../../sandbox/options.ts';
import type { ConnectOptions, SandboxOptions, ServerOptions } from './sandbox-options.ts';

const MAX_PORT = 65_535;
const URL_EXAMPLE = 'http://127.0.0.1:4242';

const RECEIVER_NAMES: readonly (keyof SandboxOptions)[] = ['webhookReceiver', 'webhookListener'];
const SANDBOX_NAMES: readonly string[] = [...Object.keys(OPTIONS), ...RECEIVER_NAMES];
const SERVER_OPTIONS: Readonly<Record<Exclude<keyof ServerOptions, keyof SandboxOptions>, true>> = {
  port: true,
  host: true,
  allowHost: true,
  trustProxy: true,
  controlToken: true,
};
const SERVER_NAMES: readonly string[] = Object.keys(SERVER_OPTIONS);

/**
 * Checks what TypeScript checks and JavaScript does not: the names of the options, and the shapes of those that the schema
 * of the core options never sees. Throws an OptionError.
 */
export function checkSandboxOptions(options: unknown, { listens }: { readonly listens: boolean }): void {
  const { fixtures, webhookReceiver, webhookListener, ...others } = objectOf(
    options,
    "{ fixtures: ['empty'] }",
  );
  const names = listens ? [...SANDBOX_NAMES, ...SERVER_NAMES] : SANDBOX_NAMES;
  const unknown = Object.keys(others).find(name => !names.includes(name));
  if (unknown !== undefined) {
    const rule = SERVER_NAMES.includes(unknown)
      ? 'is an option of startServer; this sandbox does not listen on a port'
      : `is unknown${suggestion(unknown, names)}`;
    throw new OptionError(unknown, rule);
  }
  checkFixtures(fixtures);
  if (webhookReceiver !== undefined && typeof webhookReceiver !== 'function') {
    const rule = 'must be a function from a Request to a Response; to send webhooks to a URL, use forwardTo';
    throw new OptionError('webhookReceiver', rule);
  }
  if (webhookListener === undefined) return;
  if (webhookReceiver !== undefined) {
    throw new OptionError('webhookListener', 'cannot be combined with webhookReceiver; pass one of them');
  }
  if (typeof webhookListener !== 'function' && !isServer(webhookListener)) {
    const rule =
      'must be a request listener or a server of node:http, such as express() or fastify.server; to send webhooks to a URL, use forwardTo';
    throw new OptionError('webhookListener', rule);
  }
}

/** Whether a value is a server of node:http. A server of node:https does not count: its certificate would have to be trusted. */
function isServer(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'closeAllConnections' in value &&
    'listening' in value &&
    !('setSecureContext' in value)
  );
}

/** Checks the options of a new world as far as the server does not. Throws an OptionError. */
export function checkWorldOptions(options: unknown): void {
  const { fixtures, from, ...others } = objectOf(options, "{ fixtures: ['empty'] }");
  checkFixtures(fixtures);
  const source = isObject(from) ? from.world : from;
  if (from !== undefined && typeof source !== 'string') {
    throw new OptionError('from', 'must be the id of a world, or its handle');
  }
  const receiver = ['webhookReceiver', 'webhookListener'].find(name => others[name] !== undefined);
  if (receiver === undefined) return;
  const rule =
    'cannot be set for a world; it sends its webhooks as the other worlds do, and forwardTo names another URL';
  throw new OptionError(receiver, rule);
}

function checkFixtures(fixtures: unknown): void {
  if (fixtures === undefined || Array.isArray(fixtures)) return;
  const example = typeof fixtures === 'string' ? fixtures : 'empty';
  throw new OptionError('fixtures', `must be an array of fixtures, for example ['${example}']`);
}

/** Checks how a server listens and returns the host to listen on. Throws an OptionError. */
export function checkListenOptions(
  options: {
    readonly [K in 'port' | 'host' | 'allowHost' | 'trustProxy' | 'controlToken']: unknown;
  },
): string {
  const { port, host, allowHost, trustProxy, controlToken } = options;
  const isPort = typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= MAX_PORT;
  if (!isPort) {
    throw new OptionError('port', `must be a whole number from 0 to ${MAX_PORT}; 0 picks a free port`);
  }
  if (typeof trustProxy !== 'boolean') throw new OptionError('trustProxy', 'must be true or false');
  const isNames = Array.isArray(allowHost) && allowHost.every(each => typeof each === 'string');
  if (allowHost !== undefined && !isNames) {
    throw new OptionError('allowHost', "must be an array of names, for example ['sandbox.example']");
  }
  checkToken(controlToken, 'a random one');
  const read = readListenHost(typeof host === 'string' ? host : '');
  if ('host' in read) return read.host;
  throw new OptionError('host', read.rule);
}

/** An empty token would let everybody in, and others do not fit into a header. */
function checkToken(token: unknown, otherwise: string): void {
  if (token === undefined || (typeof token === 'string' && /^[!-~]+$/.test(token))) return;
  const rule = `must be one or more visible ASCII characters, without spaces; leave it out for ${otherwise}`;
  throw new OptionError('controlToken', rule);
}

const CONNECT_NAMES: readonly (keyof ConnectOptions)[] = ['url', 'world', 'controlToken'];

/** Checks the address of a running sandbox. Throws an OptionError. */
export function checkConnectOptions(options: unknown): void {
  const {
    url = URL_EXAMPLE,
    world,
    controlToken,
    ...others
  } = objectOf(options, `{ url: '${URL_EXAMPLE}' }`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new OptionError(unknown, `is unknown${suggestion(unknown, CONNECT_NAMES)}`);
  }
  if (world !== undefined && (typeof world !== 'string' || world === '')) {
    throw new OptionError('world', 'must be the id of a world; leave it out for main');
  }
  checkToken(controlToken, 'the one of the environment');
  const parsed = typeof url === 'string' && /^https?:\/\//i.test(url) ? parseUrl(url) : null;
  if (parsed !== null) {
    if (!/\/v1\/?$/.test(parsed.pathname)) return;
    throw new OptionError('url', `must be the address of the sandbox, without ${API_PREFIX}`);
  }
  const isWithoutScheme =
    typeof url === 'string' && /^[\w.-]+(?::\d+)?(?:\/|$)/.test(url) && parseUrl(`http://${url}`) !== null;
  const advice = isWithoutScheme ? `; write http://${url}` : `, for example ${URL_EXAMPLE}`;
  throw new OptionError('url', `must be an http(s) URL${advice}`);
}

/** The error of a server that cannot listen: the error of Node.js, with a message that says what to do about a busy port. */
export function listenError(error: unknown, port: number, host: string): unknown {
  const isBusy = isError(error) && 'code' in error && error.code === 'EADDRINUSE';
  if (!isBusy) return error;
  const message = `port ${port} of ${host} is in use; stop what listens there, or pass port: 0 for a free one`;
  return Object.assign(new Error(message, { cause: error }), { code: error.code });
}

function objectOf(options: unknown, example: string): Readonly<Record<string, unknown>> {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) {
    // An object has members by name, whatever their values are.
    return options as Readonly<Record<string, unknown>>;
  }
  throw new OptionError('options', `must be an object, for example ${example}`);
}
