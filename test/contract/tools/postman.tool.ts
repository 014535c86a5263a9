import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/client/operation-table.ts';
import { EARLIER } from '../../../src/sandbox/valid-inputs.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';
import { documentFile, tool } from './run.ts';

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

/** A request of a Postman collection, or a folder of them. */
interface Item {
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly url: {
      readonly path: readonly string[];
      readonly query?: readonly Pair[];
      readonly variable?: readonly Pair[];
    };
    readonly header?: readonly Pair[];
    readonly body?: { readonly raw?: string };
  };
}

/** Converts the document of the API as an import with the values of its examples does. Returns the requests in order. */
async function imported(folderStrategy: string): Promise<NonNullable<Item['request']>[]> {
  const document = await documentFile('partner', 'json');
  const collection = join(document, '..', 'collection.json');
  const options = `parametersResolution=Example,folderStrategy=${folderStrategy}`;
  await tool('openapi-to-postmanv2/bin/openapi2postmanv2.js', [
    '-s',
    document,
    '-o',
    collection,
    '-O',
    options,
  ]);
  const requestsIn = ({ item = [], request }: Item): NonNullable<Item['request']>[] => [
    ...(request === undefined ? [] : [request]),
    ...item.flatMap(requestsIn),
  ];
  return requestsIn(JSON.parse(readFileSync(collection, 'utf8')));
}

/** Sends a request as Postman does: with all parameters that are not disabled. Returns a line with its status. */
async function send(origin: string, request: NonNullable<Item['request']>): Promise<string> {
  const { method, url, header = [], body } = request;
  const enabled = (pairs: readonly Pair[] = []) =>
    pairs.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value] as [string, string]);
  const values = new Map(enabled(url.variable));
  const path = url.path.map(step => values.get(step.replace(/^:/, '')) ?? step).join('/');
  const response = await fetch(`${origin}/v1/${path}?${new URLSearchParams(enabled(url.query))}`, {
    method,
    headers: { ...Object.fromEntries(enabled(header)), 'x-service-api-key': ACME_KEY },
    ...(body?.raw !== undefined && body.raw !== '' && { body: body.raw }),
  });
  return `${method} /${path}: ${response.status}`;
}

test.each(['Paths', 'Tags'])(
  'a Postman collection by %s succeeds with every operation on a new sandbox',
  async strategy => {
    const requests = await imported(strategy);
    expect(requests).toHaveLength(OPERATIONS.filter(({ plane }) => plane === 'partner').length);
    const { origin } = await startSandbox({ fixtures: ['starter'] });
    const lines: string[] = [];
    for (const request of requests) lines.push(await send(origin, request));
    // A new sandbox has no events.
    const event = `/partner/webhooks/events/${EARLIER.delivery}`;
    expect(lines.filter(line => !/: 2\d\d$/.test(line)).sort()).toEqual([
      `GET ${event}: 404`,
      `POST ${event}/retry: 404`,
    ]);
  },
);
