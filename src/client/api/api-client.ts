import { parametersOf } from '../call.ts';
import { type AnyResponse, type Client, RefusedError } from '../client.ts';
import type { Api } from '../generated/api.ts';
import { OPERATIONS, type OperationEntry } from '../generated/operations.ts';
import type { JournalEntry, Rule } from '../generated/records.ts';
import { errorCode, errorMessage } from '../json-body.ts';

/** The header that names the journal entry of a request. */
const JOURNAL_HEADER = 'x-sandbox-request';

/**
 * The operations of the API, called through a client with the key of a partner. Calls reject with a RefusedError for
 * every response that is not a success, and as `apiKey` does.
 */
export function createApi(client: Client, apiKey: () => Promise<string>): Api {
  const api: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS.filter(({ plane }) => plane === 'partner')) {
    const [resource = '', verb = ''] = operation.id.split('.');
    api[resource] = { ...api[resource], [verb]: methodOf(client, apiKey, operation) };
  }
  // The operations and the type are generated from the same table.
  return api as unknown as Api;
}

/** The method of an operation: the parameters of its path, then its query or body. */
function methodOf(client: Client, apiKey: () => Promise<string>, operation: OperationEntry) {
  const { method, path: pattern } = operation;
  const route = `${method} ${pattern}`;
  return async (...values: readonly unknown[]): Promise<unknown> => {
    const rest = [...values];
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = rest.shift();
      if (typeof value === 'string' && value !== '') return encodeURIComponent(value);
      throw new TypeError(`${name}: must be a text that is not empty; this calls ${route}`);
    });
    const [input] = rest;
    const isQuery = method === 'GET' && typeof input === 'object' && input !== null;
    const call = { method, path, ...(isQuery ? { query: parametersOf(input) } : { body: input }) };
    const response = await client.exchange(await apiKey(), call);
    if (response.status >= 200 && response.status < 300) return response.body;
    throw await refusal(client, response, route);
  };
}

async function refusal(client: Client, response: AnyResponse, route: string): Promise<RefusedError> {
  const { status, headers, body } = response;
  const requestId = headers[JOURNAL_HEADER] ?? null;
  const rule = requestId === null ? null : await ruleOf(client, requestId);
  // The body of a fault can be anything.
  const message = errorMessage(body) ?? `${route} failed with status ${status}`;
  return new RefusedError(status, message, { code: errorCode(body), rule, requestId });
}

/** Returns the rule in a journal entry, or null when there is none or the control plane is out of reach. */
async function ruleOf(client: Client, requestId: string): Promise<Rule | null> {
  try {
    const { body } = await client.control({
      method: 'GET',
      path: `/requests/${encodeURIComponent(requestId)}`,
    });
    // The sandbox checks its responses against its schemas, from which our types are generated.
    return (body as JournalEntry).rule;
  } catch {
    return null;
  }
}
