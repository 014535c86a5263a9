import {
  failureReason,
  type HttpRequest,
  MAX_API_BODY_MIB,
  parseJson,
  readApiBody,
  sendRequest,
  UNREAD,
} from '../../../client/http.ts';
import { createNameTranslator, type Names } from '../../../core/values/names.ts';
import type { Exchange, ServiceCall } from '../../evidence.ts';

const KEY_HEADER = 'x-service-api-key';
const REQUEST_TIMEOUT_MS = 30_000;

const TOO_MANY_REQUESTS = 429;
const NEVER = new AbortController().signal;
const MAX_TRIES = 5;
/** No window of a minute takes longer (interface section 8), whatever the clock of the service says. */
const MAX_WAIT_MS = 65_000;

/** How to reach the service that is measured. */
export interface ServiceOptions {
  /** The base URL of the API, version segment included, without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The service's own names for the neutral ones. */
  readonly names: Names;
  /** Stops requests and waits. */
  readonly signal: AbortSignal;
  readonly time: WallTime;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Called with each exchange, before it is judged. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** The service cannot be reached, or refuses the key. */
export class ServiceUnavailableError extends Error {
  override readonly name = 'ServiceUnavailableError';
}

/** A response is too long to be read. The exchange has a note in place of its body. */
export class OversizedResponseError extends Error {
  override readonly name = 'OversizedResponseError';
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    super(
      `a response to ${exchange.request.method} ${exchange.request.path} of at most ${MAX_API_BODY_MIB} MiB`,
    );
    this.exchange = exchange;
  }
}

/** Calls the API of a service over HTTP, in its own names and within its rate limit. Probes see the neutral names. */
export class Service {
  readonly #options: ServiceOptions;
  readonly #pace: Pace;
  readonly #translator;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#pace = new Pace(options.time, options.signal);
    this.#translator = createNameTranslator(options.names);
  }

  /** The base URL of the API. */
  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /** Returns the name of a header on the wire. */
  headerName(header: string): string {
    return this.#translator?.text(header) ?? header;
  }

  /** Translates a JSON value of the service to the neutral names. */
  neutral<T>(value: T): T {
    return this.#translator?.toNeutral(value) ?? value;
  }

  get(path: string, query: Readonly<Record<string, string>> = {}): Promise<Exchange> {
    return this.call({ method: 'GET', path, query });
  }

  post(path: string, body?: unknown): Promise<Exchange> {
    return this.call({ method: 'POST', path, body });
  }

  patch(path: string, body: unknown): Promise<Exchange> {
    return this.call({ method: 'PATCH', path, body });
  }

  /**
   * Sends a request and resolves with the exchange, whatever its status is. Rejects with a ServiceUnavailableError when
   * there is no response, with an OversizedResponseError when it is too long, and with the reason of an aborted signal,
   * unless the call is one of `cleanup`.
   */
  async call(call: ServiceCall, cleanup = false): Promise<Exchange> {
    if (!cleanup) this.#options.signal.throwIfAborted();
    const exchange = await this.#pace.keep(() => this.#send(call), cleanup);
    this.#options.onExchange?.(exchange);
    if (exchange.body === UNREAD) throw new OversizedResponseError(exchange);
    return exchange;
  }

  /**
   * Fetches a page for people, such as a reveal link, which is not part of the API. The exchange does not contain its
   * text, which can show a card.
   */
  async page(
    url: string,
    headers: Readonly<Record<string, string>> = {},
    method = 'GET',
  ): Promise<{ readonly exchange: Exchange; readonly text: string }> {
    this.#options.signal.throwIfAborted();
    const response = await this.#fetch({ method, url, headers });
    const text = await readApiBody(response);
    const exchange = {
      request: { method, path: `${new URL(url).origin}/***`, headers },
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === null ? UNREAD : `(${text.length} characters, not shown)`,
    };
    if (text === null) throw new OversizedResponseError(exchange);
    return { exchange, text };
  }

  async #send(call: ServiceCall): Promise<Exchange> {
    const { method, path, query, body, apiKey = this.#options.apiKey } = call;
    const response = await this.#fetch({
      method,
      url: this.baseUrl + path,
      query,
      headers: { ...call.headers, ...(apiKey !== null && { [this.headerName(KEY_HEADER)]: apiKey }) },
      body: this.#translator?.toPartner(body) ?? body,
    });
    const text = await readApiBody(response);
    const received = text === null ? UNREAD : parseJson(text);
    return {
      request: call,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: this.neutral(received === undefined ? text : received),
    };
  }

  async #fetch(request: HttpRequest): Promise<Response> {
    const { fetch: send, signal } = this.#options;
    try {
      // Not aborted by the signal: the request may create a card, which has to be cancelled.
      return await sendRequest({ ...request, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }, send);
    } catch (error) {
      signal.throwIfAborted();
      const reason = failureReason(error) ?? error;
      throw new ServiceUnavailableError(`no service responds at ${this.baseUrl} (${reason})`);
    }
  }
}

/** The wall time of the machine, with a sleep that ends early when the signal aborts. */
export interface WallTime {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Keeps requests within the rate limit of the service (interface section 8). */
class Pace {
  readonly #time: WallTime;
  readonly #signal: AbortSignal;
  /** When the window ends, while it has no requests left; else null. */
  #resetsAt: number | null = null;

  constructor(time: WallTime, signal: AbortSignal) {
    this.#time = time;
    this.#signal = signal;
  }

  /** Sends a request when the window has room for it, and again after a 429. A cleanup is not stopped by the signal. */
  async keep(send: () => Promise<Exchange>, cleanup: boolean): Promise<Exchange> {
    const signal = cleanup ? NEVER : this.#signal;
    for (let tries = 1; ; tries++) {
      if (this.#resetsAt !== null) await this.#wait(this.#resetsAt - this.#time.now(), signal);
      const exchange = await send();
      const { headers, status } = exchange;
      const reset = Number(headers['x-ratelimit-reset']) * 1_000;
      this.#resetsAt = headers['x-ratelimit-remaining'] === '0' && reset > 0 ? reset : null;
      if (status !== TOO_MANY_REQUESTS || tries === MAX_TRIES) return exchange;
      this.#resetsAt = null;
      await this.#wait(Number(headers['retry-after'] ?? 1) * 1_000, signal);
    }
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    if (ms > 0) await this.#time.sleep(Math.min(ms, MAX_WAIT_MS), signal);
    signal.throwIfAborted();
  }
}
