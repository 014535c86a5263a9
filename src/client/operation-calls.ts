import { type Client, type ClientCall, RefusedError } from './client.ts';
import type { Api } from './generated/api.ts';
import type { ControlApi } from './generated/control-api.ts';
import type { Rule } from './generated/records.ts';
import { type AnyResponse, errorCode, errorMessage, JOURNAL_HEADER } from './http.ts';
import { OPERATIONS, type OperationEntry } from './operation-table.ts';

type ControlId = keyof ControlApi;

/** Calls an operation of the control plane with the arguments of its method in `ControlApi`. */
export type CallControl = <Id extends ControlId>(
  id: Id,
  ...values: Parameters<ControlApi[Id]>
) => ReturnType<ControlApi[Id]>;

const BY_ID: ReadonlyMap<string, OperationEntry> = new Map(OPERATIONS.map(each => [each.id, each]));

interface CallOptions {
  /** Calls wait for it, and reject when it does. */
  readonly ready?: Promise<unknown>;
  /** Each operation that takes a partner takes this one, unless the caller names another. */
  readonly partnerId?: string | undefined;
  /** Runs after a successful call, before it resolves. */
  readonly afterCall?: (id: ControlId) => Promise<void>;
}

/** Calls operations of the control plane through a client. A call rejects with the errors of the client. */
export function createControlCall(
  client: Client,
  { ready, partnerId, afterCall }: CallOptions = {},
): CallControl {
  const call = async (id: ControlId, ...values: readonly unknown[]): Promise<unknown> => {
    const operation = BY_ID.get(id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    await ready;
    const inputs = inputsOf(operation, values);
    if (operation.inputs.includes('body') && inputs.body === undefined) inputs.body = {};
    const { partnerIn } = operation;
    if (partnerId !== undefined && partnerIn !== undefined) {
      inputs[partnerIn] = { ...inputs[partnerIn], partnerId: inputs[partnerIn]?.partnerId ?? partnerId };
    }
    const request = requestOf(operation, values, inputs);
    const { body } = await client.control(request);
    await afterCall?.(id);
    return body;
  };
  // The sandbox checks its responses against the schemas from which the types are generated.
  return call as CallControl;
}

/** The methods of `names`, each of which calls the operation with the id that it has there. */
export function controlMethods<const Ids extends Readonly<Record<string, ControlId>>>(
  call: CallControl,
  names: Ids,
): { readonly [Name in keyof Ids]: ControlApi[Ids[Name]] } {
  const methods = Object.entries(names).map(([name, id]) => [
    name,
    (...values: Parameters<ControlApi[ControlId]>) => call(id, ...values),
  ]);
  // Each method passes its arguments on.
  return Object.fromEntries(methods) as { readonly [Name in keyof Ids]: ControlApi[Ids[Name]] };
}

/**
 * The operations of the API, called through a client with the key of a partner. Calls reject with a RefusedError for
 * every response that is not a success, and as `apiKey` does.
 */
export function createApi(client: Client, apiKey: () => Promise<string>): Api {
  const api: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS.filter(({ plane }) => plane === 'partner')) {
    const [resource = '', verb = ''] = operation.id.split('.');
    api[resource] = { ...api[resource], [verb]: apiMethod(client, apiKey, operation) };
  }
  // The operations and the type are generated from the same table.
  return api as unknown as Api;
}

function apiMethod(client: Client, apiKey: () => Promise<string>, operation: OperationEntry) {
  const route = `${operation.method} ${operation.path}`;
  return async (...values: readonly unknown[]): Promise<unknown> => {
    const call = requestOf(operation, values, inputsOf(operation, values));
    const response = await client.exchange(await apiKey(), call);
    if (response.status >= 200 && response.status < 300) return response.body;
    throw await refusalOf(client, response, route);
  };
}

function parametersOf({ path }: OperationEntry): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

type Members = Readonly<Record<string, unknown>>;

function inputsOf(
  operation: OperationEntry,
  values: readonly unknown[],
): { body?: Members; query?: Members } {
  const rest = values.slice(parametersOf(operation).length);
  return Object.fromEntries(operation.inputs.map((part, index) => [part, rest[index]]));
}

/**
 * The request of a call. Members of the query that are undefined are left out. Throws a TypeError for a parameter of the
 * path that is missing or empty, which JavaScript may pass.
 */
function requestOf(
  operation: OperationEntry,
  values: readonly unknown[],
  { body, query = {} }: { readonly body?: unknown; readonly query?: Members },
): ClientCall {
  const { method } = operation;
  let path = operation.path;
  for (const [index, name] of parametersOf(operation).entries()) {
    const value = values[index];
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(
        `${name}: must be a text that is not empty; this calls ${method} ${operation.path}`,
      );
    }
    path = path.replace(`{${name}}`, () => encodeURIComponent(value));
  }
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return { method, path, query: Object.fromEntries(parameters), body };
}

async function refusalOf(client: Client, response: AnyResponse, route: string): Promise<RefusedError> {
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
    return (await createControlCall(client)('requests.get', requestId)).rule;
  } catch {
    return null;
  }
}
