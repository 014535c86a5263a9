import { randomText } from '../browser.ts';
import { controlUrl, hasToken } from '../data/http.ts';
import { hasMagicTokens, info } from '../data/store.ts';

/** What the journal has in place of a secret, which a share token is. */
export const MASK = '***';

export interface CurlRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly body?: string;
}

/** Returns the header of the API key, in the partner's own names. */
export function apiKeyHeader(): string {
  return `x-${ownName('service').toLowerCase()}-api-key`;
}

/**
 * Returns the request as a curl command, with the API key when there is one. It is in the partner's own names, and has
 * a new share token in place of one that the journal masks, so that the command works where magic tokens do.
 */
export function toCurl(request: CurlRequest, apiKey?: string): string {
  const { method, path, query = '', body = '' } = request;
  const url = `${location.origin}${path}${query === '' ? '' : `?${query}`}`;
  const headers = apiKey === undefined ? [] : [quote(`${apiKeyHeader()}: ${apiKey}`)];
  return curlCommand(method, url, headers, body === '' ? null : toReplayable(body));
}

/** Returns a POST to the control plane as a curl command. */
export function toControlCurl(path: string, body: object): string {
  return curlCommand('POST', controlUrl(path), controlTokenHeaders(), JSON.stringify(body));
}

/** Returns the quoted header with the token that the control plane needs, which curl reads from the environment, if it needs one. */
export function controlTokenHeaders(): readonly string[] {
  return hasToken() ? ['"authorization: Bearer $CARD_SANDBOX_CONTROL_TOKEN"'] : [];
}

/** Returns a curl command. The headers are quoted. A body is JSON; with null, nothing is sent. */
export function curlCommand(
  method: string,
  url: string,
  headers: readonly string[],
  body: string | null,
): string {
  const data = body === null ? [] : [`-H 'content-type: application/json'`, `-d ${quote(body)}`];
  return [`curl -i -X ${method} ${quote(url)}`, ...headers.map(each => `-H ${each}`), ...data].join(
    ' \\\n  ',
  );
}

/** Returns the partner's name for a neutral one, or the word itself. */
function ownName(word: string): string {
  // The option `names` has this type.
  const names = (info.data.value?.options.names ?? {}) as Readonly<Record<string, string | undefined>>;
  return names[word] ?? word;
}

/** Returns a body in the partner's names, with a magic share token in place of a masked one, where these work. */
export function toReplayable(body: string): string {
  const members = membersOf(body);
  if (members === null) return body;
  const replaced = Object.entries(members).map(([name, value]): [string, unknown] => {
    if (typeof value !== 'string') return [name, value];
    if (name === 'kycSource') return [name, ownName(value)];
    const [, source] = /^(\w+)ShareToken$/.exec(name) ?? [];
    if (source === undefined) return [name, value];
    const token =
      value === MASK && hasMagicTokens.value ? `${ownName(source)}_test_approve_${randomText(6)}` : value;
    return [`${ownName(source)}ShareToken`, token];
  });
  return JSON.stringify(Object.fromEntries(replaced));
}

function membersOf(body: string): object | null {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && !Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
