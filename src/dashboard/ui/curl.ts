/** A request to the API of this sandbox. */
export interface CurlRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly body?: string;
}

/** Returns the request as a curl command, with the API key when there is one. */
export function toCurl({ method, path, query = '', body = '' }: CurlRequest, apiKey?: string): string {
  const url = `${location.origin}${path}${query === '' ? '' : `?${query}`}`;
  const parts = [`curl -i -X ${method} ${quote(url)}`];
  if (apiKey !== undefined) parts.push(`-H ${quote(`x-service-api-key: ${apiKey}`)}`);
  if (body !== '') parts.push(`-H 'content-type: application/json'`, `-d ${quote(body)}`);
  return parts.join(' \\\n  ');
}

/** Returns a text as one word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
