import { KEY_HEADER } from '../../../core/access/authenticate.ts';
import { dropLiveKeys } from '../../../core/redaction/redact.ts';
import { header } from '../../../core/request/http.ts';
import { type NameTranslator, NEUTRAL_HEADER } from '../../../core/values/names.ts';
import { API_PREFIX, CONTROL_PREFIX } from '../../../core/values/plane.ts';
import { parseForm } from '../../../service/kyc/page.ts';
import type { HistoryEntry } from '../history.ts';
import { parseJson } from './references.ts';

/** An entry, as far as sending it again needs it. */
export type ReplayEntry = Pick<
  HistoryEntry,
  'plane' | 'method' | 'path' | 'query' | 'headers' | 'requestBody' | 'partnerId' | 'summary'
> & {
  readonly response: Pick<HistoryEntry['response'], 'status' | 'body' | 'drop'>;
  readonly before: { readonly clock: Pick<HistoryEntry['before']['clock'], 'now' | 'frozen'> };
};

/** An entry as a request that can be sent again. */
export interface RecordedCall {
  readonly plane: 'partner' | 'control';
  readonly method: string;
  /** Path below the prefix of the plane, as it was sent. */
  readonly path: string;
  readonly query: string;
  /** The API key; null for a request without one, and for the control plane. */
  readonly key: string | null;
  /** The headers that decide the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it was sent; empty for none. */
  readonly body: string;
}

/** Headers that can decide a response, besides the key. */
const KEPT_HEADERS = [
  'x-sandbox-fault',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
  'x-forwarded-for',
];
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const KYC_PAGE = /^\/kyc\/([^/]+)$/;

/**
 * Returns the request of an entry, in the neutral names; null when only a person can repeat it or its body is not kept.
 * The form of a KYC page becomes the control call with the same effect.
 */
export function callOf(entry: ReplayEntry, names: NameTranslator | null): RecordedCall | null {
  const { plane, method, path, query, requestBody } = entry;
  if (requestBody === null) return null;
  if (plane === 'page') return kycCall(path, requestBody);
  const isApi = plane === 'partner';
  const kept = KEPT_HEADERS.flatMap(name => {
    const value = header(entry, name);
    return value === undefined || !isApi ? [] : [[name, dropLiveKeys(value)] as const];
  });
  const type = header(entry, 'content-type') ?? '';
  const prefix = isApi ? API_PREFIX : CONTROL_PREFIX;
  const isTranslated = isApi && names !== null && header(entry, NEUTRAL_HEADER) !== 'neutral';
  return {
    plane,
    method,
    path: path.slice(prefix.length) || '/',
    query,
    // An empty header counts as none.
    key: isApi ? header(entry, KEY_HEADER) || null : null,
    headers: {
      ...Object.fromEntries(kept),
      ...(isApi && requestBody !== '' && !JSON_TYPE.test(type) && { 'content-type': type }),
    },
    body: isTranslated ? neutralBody(requestBody, names) : requestBody,
  };
}

function neutralBody(body: string, names: NameTranslator): string {
  const value = parseJson(body);
  return value === undefined ? body : JSON.stringify(names.toNeutral(value));
}

/** Returns the control call that decides a KYC session as a form did; null for the opening of a page. */
function kycCall(path: string, form: string): RecordedCall | null {
  const [, session] = KYC_PAGE.exec(path) ?? [];
  if (session === undefined || form === '') return null;
  const fields = new URLSearchParams(form);
  const decision = fields.get('decision');
  return {
    plane: 'control',
    method: 'POST',
    path: `/kyc-sessions/${session}/${decision}`,
    query: '',
    key: null,
    headers: {},
    body: decision === 'approve' ? JSON.stringify({ identity: parseForm(fields).identity }) : '',
  };
}
