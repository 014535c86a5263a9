import type { BlockList } from 'node:net';
import { ApiError, assumed } from '../operation/errors.ts';
import { LIVE_KEY_PREFIX } from '../redaction/redact.ts';
import { type ApiRequest, header } from '../request/http.ts';
import { isoTime } from '../values/timestamp.ts';
import type { WorldState } from '../world/world-state.ts';
import { covers, LOOPBACK, ranges } from './ip-ranges.ts';
import { apiKeys, KEY_PREFIX, type Partner, partners } from './partners.ts';

/** The header that carries the API key, in lower case (interface section 5.1). */
export const KEY_HEADER = 'x-service-api-key';

const MISTAKEN_HEADERS = ['authorization', 'x-api-key'];

export interface Caller {
  readonly partner: Partner;
  readonly key: string;
}

/** Throws a 401 for a missing, unknown, expired or production key. No message repeats a key. */
export function authenticate(state: WorldState, request: ApiRequest): Caller {
  const key = header(request, KEY_HEADER);
  if (key === undefined || key === '') {
    throw unauthorized(
      `header ${KEY_HEADER} is missing; send the partner's sandbox key (${KEY_PREFIX}…)`,
      misplacedKeyHint(request),
    );
  }
  if (key.replace(BEARER, '').startsWith(LIVE_KEY_PREFIX)) {
    throw new ApiError(
      401,
      assumed('live-keys'),
      `header ${KEY_HEADER}: live keys do not belong in a sandbox; send a key that starts with ${KEY_PREFIX}, and rotate the live key if you sent it by mistake`,
    );
  }
  const known = state.table(apiKeys).get(key);
  if (known === undefined) {
    const slip = misspelledKeyHint(key);
    const wayOut = slip ?? 'the sandbox prints its keys at start';
    throw unauthorized(`header ${KEY_HEADER}: unknown API key; ${wayOut}`, slip);
  }
  const { partnerId, validUntil } = known;
  if (validUntil !== null && state.clock.now() >= validUntil) {
    const ended = isoTime(validUntil);
    throw unauthorized(`header ${KEY_HEADER}: this key was rotated and its grace period ended at ${ended}`);
  }
  return { partner: state.table(partners).existing(partnerId), key };
}

/**
 * Throws when the partner has an allow-list that does not include the caller. An empty list admits every address (interface
 * section 5.4).
 */
export function checkAddress(partner: Partner, remoteAddress: string): void {
  const { ipAllowList } = partner.settings;
  if (ipAllowList.length === 0 || covers(compiled(ipAllowList), remoteAddress)) return;
  throw new ApiError(
    401,
    assumed('allow-list-status'),
    `IP address ${remoteAddress} is not on the allow-list of ${partner.id}; add it in the partner's settings`,
  );
}

const compiledLists = new WeakMap<readonly string[], BlockList>();

function compiled(allowList: readonly string[]): BlockList {
  let list = compiledLists.get(allowList);
  if (list === undefined) {
    list = ranges(allowList.flatMap(entry => (entry === 'localhost' ? LOOPBACK : [entry])));
    compiledLists.set(allowList, list);
  }
  return list;
}

/** The hint for the journal about a key in another header, or null. It never repeats the key. */
function misplacedKeyHint(request: ApiRequest): string | null {
  const name = MISTAKEN_HEADERS.find(each => (header(request, each) ?? '') !== '');
  return name === undefined ? null : `header ${name} was sent; the API key belongs in ${KEY_HEADER}`;
}

const BEARER = /^bearer\s+/i;

/** The hint about a key with something around it, or null. It never repeats the key. */
function misspelledKeyHint(key: string): string | null {
  if (BEARER.test(key)) return 'send the key alone, without "Bearer " before it';
  return /^(["'`]).*\1$/.test(key) ? 'send the key alone, without quotes around it' : null;
}

function unauthorized(message: string, hint: string | null = null): ApiError {
  return new ApiError(401, assumed('authentication'), message, { hint });
}
