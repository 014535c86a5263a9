import { type CalibrateOptions, calibrate } from '../../../src/tools/calibrate/calibrate.ts';
import type { Json } from '../../support/sandbox.ts';

/** A response of a service that is not the sandbox. */
export interface ServiceReply {
  readonly status: number;
  /** Sent as JSON, or a text unchanged. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as that service reads it. */
export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Headers;
  /** The parsed JSON; undefined for none. */
  readonly body: Json;
}

/** Responses by method and path; a path that ends in a star is the beginning of one. */
export type Routes = Readonly<
  Record<string, ServiceReply | ((request: ServiceRequest) => ServiceReply | Promise<ServiceReply>)>
>;

export const BASE_URL = 'https://service.example.com/v1';
export const API_KEY = 'sk_test_of_the_partner';

export const reply = (
  status: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): ServiceReply => ({ status, body, headers });

export const refuse = (status: number, error = 'refused') => reply(status, { success: false, error });

/** A page of a list. */
export const page = (...data: readonly unknown[]): ServiceReply =>
  reply(200, { data, page: 1, limit: 100, total: data.length });

/** The `fetch` of a service with these responses; anything else is a 404. Cards can be listed unless a route says how. */
export function fetchFrom(routes: Routes): typeof fetch {
  const all: Routes = { 'GET /partner/cards': page(), ...routes };
  return async (input, init = {}) => {
    const { pathname, searchParams } = new URL(String(input));
    const { method = 'GET', body } = init;
    const path = pathname.replace(/^\/v1/, '');
    const target = `${method} ${path}`;
    const name =
      Object.keys(all).find(each => each === target) ??
      Object.keys(all).find(each => each.endsWith('*') && target.startsWith(each.slice(0, -1)));
    const route = (name === undefined ? undefined : all[name]) ?? refuse(404, 'no such operation');
    const query = Object.fromEntries(searchParams);
    const headers = new Headers(init.headers);
    const parsed = typeof body === 'string' ? JSON.parse(body) : undefined;
    const answer =
      typeof route === 'function' ? await route({ method, path, query, headers, body: parsed }) : route;
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    return new Response(answer.status === 204 ? null : text, {
      status: answer.status,
      headers: answer.headers ?? {},
    });
  };
}

/** What calibrate reports about one entry. */
export interface Report {
  readonly verdict: string;
  /** What was seen, or what it would take. */
  readonly text: string;
  /** The value of the setting that makes the sandbox alike. */
  readonly value?: unknown;
  /** The requests that show it, each with its status. */
  readonly shown: readonly string[];
}

/** Calibrates one entry on a service with these responses, without waiting for anything. */
export async function probed(
  id: string,
  routes: Routes,
  options: Partial<CalibrateOptions> = {},
): Promise<Report> {
  const { results } = await calibrate({
    baseUrl: BASE_URL,
    apiKey: API_KEY,
    asyncTimeoutMs: 0,
    webhookSecret: 'a-secret-of-the-calibration',
    signal: new AbortController().signal,
    time: { now: () => Date.parse('2026-03-15T10:00:00Z'), sleep: () => Promise.resolve() },
    only: [id],
    fetch: fetchFrom(routes),
    ...options,
  });
  const [result] = results;
  if (result === undefined) throw new Error(`there is no entry ${id}`);
  const { seen, needs, exchanges } = result.evidence;
  return {
    verdict: result.verdict,
    text: seen ?? needs ?? '',
    ...(result.setting !== undefined && { value: result.setting.value }),
    shown: exchanges.map(
      ({ request: { method, path }, response: { status } }) => `${method} ${path} ${status}`,
    ),
  };
}

/** A case of a table: an entry, a service that differs, and what is reported about it. */
export type Row = [
  id: string,
  what: string,
  routes: Routes,
  report: Partial<Report>,
  options?: Partial<CalibrateOptions>,
];

/** A report of what was seen. `shown` are the requests that show it, if they matter. */
export const observed = (text: string, ...shown: readonly string[]): Partial<Report> => ({
  verdict: 'observed',
  text,
  ...(shown.length > 0 && { shown }),
});

/** A report of what contradicts an entry, with the value of the setting that fits, if there is one. */
export const contradicted = (
  text: string,
  value?: unknown,
  ...shown: readonly string[]
): Partial<Report> => ({
  verdict: 'contradicted',
  text,
  ...(value !== undefined && value !== null && { value }),
  ...(shown.length > 0 && { shown }),
});

/** A report of what it would take to know. */
export const unknown = (text: string, ...shown: readonly string[]): Partial<Report> => ({
  verdict: 'unknown',
  text,
  ...(shown.length > 0 && { shown }),
});
