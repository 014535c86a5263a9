import { STATUS_CODES } from 'node:http';
import {
  namesSecret,
  redactBody,
  redactPath,
  redactQuery,
  redactText,
} from '../../../core/redaction/redact.ts';
import { NEUTRAL_HEADER } from '../../../core/values/names.ts';
import { isoTime } from '../../../core/values/timestamp.ts';
import type { World } from '../../../core/world/world.ts';
import type { WorldState } from '../../../core/world/world-state.ts';
import type { HistoryEntry } from '../history.ts';

/**
 * Writes the entries as an HTTP archive, version 1.2. Keys, tokens and card numbers are masked. The header of this package
 * for the neutral names is left out, as no app sends it.
 */
export function toHar(entries: readonly HistoryEntry[], world: World): string {
  const log = {
    version: '1.2',
    creator: { name: 'card-sandbox', version: world.version },
    entries: entries.map(entry => harEntry(entry, world.state)),
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function harEntry(entry: HistoryEntry, { origin, names }: WorldState): object {
  const { id, at, method, path, headers, requestBody, response, summary } = entry;
  const query = redactQuery(entry.query);
  // Without names of its own, the world takes every request in the neutral names.
  const { [NEUTRAL_HEADER]: _, ...sent } = headers;
  const mimeType = String(headers['content-type'] ?? '');
  return {
    startedDateTime: isoTime(at),
    time: 0,
    request: {
      method,
      url: origin() + redactPath(path) + (query === '' ? '' : `?${query}`),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(names === null ? sent : headers),
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      ...(requestBody !== null &&
        requestBody !== '' && { postData: { mimeType, text: redactBody(requestBody) } }),
      headersSize: -1,
      bodySize: requestBody === null ? -1 : Buffer.byteLength(requestBody),
    },
    response: {
      // A closed connection has no status.
      status: response.drop ? 0 : response.status,
      statusText: response.drop ? '' : (STATUS_CODES[response.status] ?? ''),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response.headers),
      content: {
        size: Buffer.byteLength(response.body),
        mimeType: response.headers['Content-Type'] ?? response.headers['content-type'] ?? '',
        text: redactBody(response.body),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: Buffer.byteLength(response.body),
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: `${id}: ${redactText(summary)}`,
  };
}

/** Header names that hold a secret without being named like one. */
const SECRET_HEADERS = /^(?:authorization|cookie|x-service-api-key)$/i;

function pairs(headers: Readonly<Record<string, string | readonly string[] | undefined>>): object[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const isSecret = SECRET_HEADERS.test(name) || namesSecret(name);
    return [{ name, value: isSecret ? '***' : redactText(String(value)) }];
  });
}
