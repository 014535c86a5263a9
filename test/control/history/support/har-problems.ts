import type { Json } from '../../../support/sandbox.ts';

/** The required members of HAR 1.2, by object. `time+` is a number of at least -1. */
const REQUIRED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  log: { version: 'string', creator: 'object', entries: 'array' },
  creator: { name: 'string', version: 'string' },
  entry: {
    startedDateTime: 'string',
    time: 'number',
    request: 'object',
    response: 'object',
    cache: 'object',
    timings: 'object',
  },
  request: {
    method: 'string',
    url: 'string',
    httpVersion: 'string',
    cookies: 'array',
    headers: 'array',
    queryString: 'array',
    headersSize: 'number',
    bodySize: 'number',
  },
  response: {
    status: 'number',
    statusText: 'string',
    httpVersion: 'string',
    cookies: 'array',
    headers: 'array',
    content: 'object',
    redirectURL: 'string',
    headersSize: 'number',
    bodySize: 'number',
  },
  content: { size: 'number', mimeType: 'string' },
  postData: { mimeType: 'string', text: 'string' },
  pair: { name: 'string', value: 'string' },
  timings: { send: 'number', wait: 'number', receive: 'number' },
};

const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

function problemsOf(kind: string, value: Json, path: string): string[] {
  return Object.entries(REQUIRED[kind] ?? {})
    .filter(([name, type]) => typeOf(value?.[name]) !== type)
    .map(([name, type]) => `${path}.${name} is not of type ${type}`);
}

/** Returns what breaks the structure of HAR 1.2, as published at http://www.softwareishard.com/blog/har-12-spec. */
export function harProblems({ log }: Json): string[] {
  const problems = [...problemsOf('log', log, 'log'), ...problemsOf('creator', log.creator, 'log.creator')];
  if (log.version !== '1.2') problems.push('log.version is not 1.2');
  for (const [index, entry] of log.entries.entries()) {
    const { request, response } = entry;
    const path = `entries[${index}]`;
    problems.push(
      ...problemsOf('entry', entry, path),
      ...problemsOf('request', request, `${path}.request`),
      ...problemsOf('response', response, `${path}.response`),
      ...problemsOf('content', response.content, `${path}.content`),
      ...problemsOf('timings', entry.timings, `${path}.timings`),
      ...(request.postData === undefined ? [] : problemsOf('postData', request.postData, `${path}.postData`)),
      ...[...request.headers, ...request.queryString, ...response.headers].flatMap((pair: Json) =>
        problemsOf('pair', pair, `${path} pair`),
      ),
    );
    if (Number.isNaN(Date.parse(entry.startedDateTime))) problems.push(`${path}.startedDateTime is no date`);
    if (!URL.canParse(request.url)) problems.push(`${path}.request.url is not absolute`);
  }
  return problems;
}
