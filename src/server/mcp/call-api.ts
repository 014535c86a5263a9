import { URLSearchParams } from 'node:url';
import type { Client } from '../../client/client.ts';
import type { JournalEntry } from '../../client/generated/records.ts';
import { type AnyResponse, errorCode, errorMessage } from '../../client/http.ts';
import { suggestion } from '../../core/values/nearest.ts';
import { API_PREFIX, CONTROL_PREFIX } from '../../core/values/plane.ts';
import { checkNames, type Tool, type ToolArguments, ToolError, textArgument, toTexts } from './tool.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const NAMES = ['method', 'path', 'query', 'body', 'headers', 'partnerId'];

export const callApi: Tool = {
  name: 'call_api',
  description:
    'Send a request to the card-issuing API with the key of a partner, by default the first. A refusal says which rule decided it and what would pass.',
  properties: {
    method: { type: 'string', enum: METHODS },
    path: { type: 'string', description: 'Such as /v1/partner/cards.' },
    query: { type: 'object' },
    body: { description: 'The JSON body.' },
    headers: { type: 'object', description: 'Such as {"x-sandbox-fault": "status=503"}.' },
    partnerId: { type: 'string' },
  },
  required: ['method', 'path'],
  async call(args, { worlds: { client }, signal }) {
    checkNames('call_api', args, NAMES, ['method', 'path']);
    const method = methodOf(args);
    const path = withQuery(pathOf(args), textsOf(args, 'query'));
    const headers = textsOf(args, 'headers');
    const apiKey = await keyOf(client, textArgument(args, 'partnerId'));
    // A body that is the text of JSON is sent as it is.
    const body = args.body ?? undefined;
    const response = await client.exchange(apiKey, { method, path, headers, body, signal });
    if (response.status >= 400) throw await refusal(client, response);
    const request = response.headers['x-sandbox-request'] ?? null;
    // The API ignores unknown names without a word; the journal has them.
    const { hints = [] } = (await entryOf(client, request)) ?? {};
    return {
      status: response.status,
      request,
      ...(hints.length === 0 ? {} : { hints }),
      // Last, because a long answer is cut.
      body: response.body,
    };
  },
};

function methodOf(args: ToolArguments): string {
  const method = textArgument(args, 'method')?.toUpperCase() ?? '';
  if (METHODS.includes(method)) return method;
  throw new ToolError(
    `method: ${JSON.stringify(method)} is not a method of the API${suggestion(method, METHODS)}`,
    `pass one of ${METHODS.join(', ')}`,
  );
}

/** Returns the path below `/v1`, with the query that it has. */
function pathOf(args: ToolArguments): string {
  const whole = textArgument(args, 'path') ?? '';
  const [path = ''] = whole.split('?', 1);
  if (path === CONTROL_PREFIX || path.startsWith(`${CONTROL_PREFIX}/`)) {
    throw new ToolError(
      `path: ${path} is of the control plane, which the other tools serve`,
      'find_operations names the tool and action',
    );
  }
  if (!path.startsWith('/')) {
    throw new ToolError(
      `path: ${JSON.stringify(path)} must be a path of the API, which begins with /v1/`,
      'find_operations lists the paths',
    );
  }
  return path.startsWith(`${API_PREFIX}/`) ? whole.slice(API_PREFIX.length) : whole;
}

/** Adds parameters to the query of a path, which is sent as it is: the API refuses a repeated parameter. */
function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const added = new URLSearchParams(query).toString();
  if (added === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${added}`;
}

function textsOf(args: ToolArguments, name: string): Record<string, string> {
  const value = args[name] ?? {};
  if (typeof value === 'object' && !Array.isArray(value)) {
    const nested = Object.entries(value).find(([, each]) => typeof each === 'object' && each !== null);
    if (nested === undefined) return toTexts(Object.entries(value));
    throw new ToolError(
      `${name}: ${JSON.stringify(nested[0])} must be a text`,
      `pass ${name} as {"name": "value"}`,
    );
  }
  throw new ToolError(`${name}: must be an object`, `pass ${name} as {"name": "value"}`);
}

async function keyOf(client: Client, partnerId: string | undefined): Promise<string> {
  const { partners } = await client.info();
  const partner = partnerId === undefined ? partners[0] : partners.find(({ id }) => id === partnerId);
  if (partner !== undefined) return partner.apiKey;
  const ids = partners.map(({ id }) => id);
  throw new ToolError(
    partnerId === undefined
      ? 'this world has no partner'
      : `no partner with id ${JSON.stringify(partnerId)}${suggestion(partnerId, ids)}`,
    partnerId === undefined ? 'worlds partners.add adds one' : `the partners are ${ids.join(', ')}`,
  );
}

async function refusal(client: Client, { status, body, headers }: AnyResponse): Promise<ToolError> {
  const id = headers['x-sandbox-request'] ?? null;
  const entry = await entryOf(client, id);
  const hints = entry?.hints ?? [];
  const message = errorMessage(body) ?? `the API answered ${status}`;
  const hint = hints.length > 0 ? hints.join('; ') : defaultHint(status, entry);
  const rule = entry?.rule ?? null;
  const structured = errorCode(body) === null ? {} : { body };
  return new ToolError(message, hint, { status, rule, request: id, ...structured });
}

async function entryOf(client: Client, id: string | null): Promise<JournalEntry | null> {
  if (id === null) return null;
  const path = `/requests/${encodeURIComponent(id)}`;
  // The sandbox validates its responses against the schema of a journal entry.
  return client.control({ method: 'GET', path }).then(
    ({ body }) => body as JournalEntry,
    () => null,
  );
}

function defaultHint(status: number, entry: JournalEntry | null): string {
  if (entry?.operation == null) return 'find_operations lists the methods and paths of the API';
  if (status === 404) return 'the lists of the API have the ids that exist; find_operations lists the paths';
  return `the message names what would pass; find_operations {"operation": "${entry.operation}"} shows what it takes`;
}
