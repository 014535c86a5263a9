import { KEY_HEADER } from '../../kernel/access/authenticate.ts';
import { API_PREFIX, CONTROL_PREFIX } from '../../kernel/operation/plane.ts';
import { header } from '../../kernel/request/http.ts';
import { parseForm } from '../../resources/kyc/identity-form.ts';
import type { HistoryEntry } from '../history.ts';

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
 * Returns the request of an entry, or null when it cannot be sent again: a person opened a page, or the body was too
 * large to keep. The form of a KYC page becomes the control call with the same effect.
 */
export function callOf({ plane, request, requestBody }: HistoryEntry): RecordedCall | null {
  if (requestBody === null) return null;
  if (plane === 'page') return kycCall(request.path, requestBody);
  const kept = KEPT_HEADERS.flatMap(name => {
    const value = header(request, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const type = header(request, 'content-type');
  const prefix = plane === 'partner' ? API_PREFIX : CONTROL_PREFIX;
  return {
    plane,
    method: request.method,
    path: request.path.slice(prefix.length) || '/',
    query: request.query,
    key: plane === 'partner' ? (header(request, KEY_HEADER) ?? null) : null,
    headers: {
      ...Object.fromEntries(kept),
      ...(type !== undefined && requestBody !== '' && !JSON_TYPE.test(type) && { 'content-type': type }),
    },
    body: requestBody,
  };
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
