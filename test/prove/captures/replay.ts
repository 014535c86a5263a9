import type { CaptureHead, CaptureLine } from '../../../src/tools/evidence.ts';
import type { Json } from '../../support/sandbox.ts';
import { differences } from './shape.ts';

/** A response of the present version. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
  /** The rule behind a refusal; null for any other response. */
  readonly rule: string | null;
}

/** The present version, to which a capture is replayed. */
export interface Replayed {
  send(
    method: string,
    path: string,
    options: { readonly key: boolean; readonly headers: Record<string, string>; readonly body: unknown },
  ): Promise<Answer>;
  /** Lets the time between two requests pass. */
  pass(ms: number): Promise<void>;
}

/** How the present version answers a capture. */
export interface Replay {
  readonly played: number;
  /** Lines that cannot be replayed, because what they sent was a secret. */
  readonly skipped: number;
  /** One text for each difference, with its line, what it belongs to, and the request. */
  readonly differences: readonly string[];
}

const MASK = '"***"';
/** Members whose values differ from service to service, and are used in later requests. */
const REFERENCE = /^id$|Id$|At$/;

/** Parses a capture file. Throws for a file of another format. */
export function parseCapture(text: string): {
  readonly head: CaptureHead;
  readonly lines: readonly CaptureLine[];
} {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  const head: CaptureHead = JSON.parse(first);
  if (head.capture !== 1) throw new Error('this is not a capture file of version 1');
  return { head, lines: rest.map((line): CaptureLine => JSON.parse(line)) };
}

/**
 * Sends the requests of a capture, with the ids and times of the present version in place of those of the service, and
 * compares the responses: status, shape and code, not values.
 */
export async function replay(lines: readonly CaptureLine[], present: Replayed): Promise<Replay> {
  const references = new Map<string, string>();
  const found: string[] = [];
  let skipped = 0;
  let lastAt: number | null = null;
  for (const [index, { at, part, request, response }] of lines.entries()) {
    const { key, method, headers = {} } = request;
    if (key === 'other' && response.status !== 401) {
      skipped += 1;
      continue;
    }
    await present.pass(lastAt === null ? 0 : Math.max(0, Date.parse(at) - lastAt));
    lastAt = Date.parse(at);
    const path = inPresent(decoded(request.path), references);
    const body =
      request.body === undefined ? undefined : JSON.parse(bodyInPresent(request.body, references, index));
    const sent = key === 'other' ? { ...headers, 'x-service-api-key': 'sk_test_unknown' } : headers;
    const answer = await present.send(method, encoded(path), { key: key === 'partner', headers: sent, body });
    const where = `line ${index + 2}, ${part}, ${method} ${path}`;
    if (answer.status !== response.status) {
      const why = answer.rule === null ? '' : ` (rule: ${answer.rule})`;
      found.push(`${where}: the service answered ${response.status}, this version ${answer.status}${why}`);
      continue;
    }
    for (const difference of differences(response.body, answer.body)) found.push(`${where}: ${difference}`);
    learn(response.body, answer.body, references);
  }
  return { played: lines.length - skipped, skipped, differences: found };
}

/** Notes which ids and times of this version stand for those of the service. */
function learn(recorded: Json, actual: Json, references: Map<string, string>, name = ''): void {
  if (typeof recorded === 'string' && typeof actual === 'string') {
    if (REFERENCE.test(name)) references.set(recorded, actual);
  } else if (
    typeof recorded === 'object' &&
    recorded !== null &&
    typeof actual === 'object' &&
    actual !== null
  ) {
    for (const [member, value] of Object.entries(recorded)) learn(value, actual[member], references, member);
  }
}

function inPresent(text: string, references: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [recorded, actual] of references) result = result.replaceAll(recorded, actual);
  return result;
}

/** A body with the references of this version, and with new secrets where the capture has a mask. */
function bodyInPresent(body: unknown, references: ReadonlyMap<string, string>, index: number): string {
  return inPresent(JSON.stringify(body), references)
    .replace(/("idp[12]ShareToken":)"\*\*\*"/g, (_, name) => `${name}"idp1_test_approve_replay_${index}"`)
    .replaceAll(MASK, '"a-secret-for-replays"');
}

function decoded(path: string): string {
  return path.replace(/\?.*/s, query => decodeURIComponent(query.replaceAll('+', ' ')));
}

function encoded(path: string): string {
  const [name = '', query] = path.split(/\?(.*)/s);
  if (query === undefined) return name;
  const pairs = query.split('&').map(pair => pair.split(/=(.*)/s));
  return `${name}?${pairs.map(([key = '', value = '']) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')}`;
}
