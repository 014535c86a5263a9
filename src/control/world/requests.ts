import { METHODS } from 'node:http';
import * as z from 'zod';
import { type JournalEntry, MAX_ENTRIES, redactEntry } from '../../core/journal/journal.ts';
import { assumed, badRequest, type Fidelity, notFound } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { redactHeaders } from '../../core/redaction/redact.ts';
import { optionalNumber } from '../../core/store/paging.ts';
import { nearestOperation, suggestion } from '../../core/values/nearest.ts';
import { API_PREFIX, isBelow } from '../../core/values/plane.ts';
import { shorten } from '../../core/values/text.ts';
import { EarliestTimestamp, timeOf } from '../../core/values/timestamp.ts';
import type { World } from '../../core/world/world.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { knownPartner } from '../known-partner.ts';
import { withoutNames } from '../path-pattern.ts';
import { viewStored } from './stored-records.ts';

const Rule = z.strictObject({
  fidelity: z.enum(['documented', 'assumed']),
  id: z.string().nullable().describe('Id of the assumption; null for a documented rule.'),
  section: z
    .string()
    .describe('Section of the interface that states the rule, or that the assumption fills.'),
  decision: z.string().nullable(),
});

const HeadersView = z
  .record(z.string(), z.string())
  .optional()
  .describe('By name in lower case; secrets are masked. Not in messages of the stream.');

const StoredRecord = z.record(z.string(), z.unknown()).nullable().optional();

const RequestView = z
  .strictObject({
    id: z.string(),
    at: z.string().describe('Sandbox time, ISO 8601.'),
    partnerId: z.string().nullable(),
    method: z.string(),
    path: z.string(),
    query: z.string(),
    operation: z.string().nullable(),
    pattern: z.string().nullable(),
    status: z.int(),
    durationMs: z.number().describe('How long the caller waited, the delay of a fault included.'),
    request: z.strictObject({
      contentType: z.string().nullable(),
      remoteAddress: z.string(),
      headers: HeadersView,
      body: z.string(),
    }),
    response: z.strictObject({ headers: HeadersView, body: z.string() }),
    refusal: z.string().nullable(),
    rule: Rule.nullable(),
    fault: z.string().nullable().describe('The fault that was applied: its id, or "header"; null for none.'),
    dropped: z
      .boolean()
      .describe('Whether that fault closed the connection instead of sending the response.'),
    hints: z.array(z.string()),
    changes: z.array(
      z.strictObject({
        kind: z.string(),
        id: z.string(),
        action: z.enum(['created', 'updated', 'deleted']),
        before: StoredRecord.describe(
          'The record before, as a state document holds it; null for a new one. Not in messages of the stream.',
        ),
        after: StoredRecord.describe(
          'The record after; null for a deleted one. Not in messages of the stream.',
        ),
      }),
    ),
    events: z.array(z.strictObject({ id: z.string(), eventType: z.string(), resourceId: z.string() })),
    wouldPass: z
      .array(z.string())
      .optional()
      .describe(
        'What would have been accepted instead, a line each; empty for a request that was not refused. Only where one request is read.',
      ),
  })
  .meta({ id: 'JournalEntry' });

export function describeRule(world: Pick<World, 'assumptions'>, rule: Fidelity): z.input<typeof Rule> {
  if (rule.kind === 'documented') {
    return { fidelity: 'documented', id: null, section: rule.section, decision: null };
  }
  const entry = world.assumptions.find(each => each.id === rule.id);
  if (entry === undefined) throw new Error(`no assumption ${rule.id} in the register`);
  const { id, section, decision } = entry;
  return { fidelity: 'assumed', id, section, decision };
}

/** Returns a journal entry as messages of the stream have it, with secrets masked: without what takes time to mask. */
export function summarizeRequest(world: World, entry: JournalEntry): z.input<typeof RequestView> {
  const { trace, rule, contentType, remoteAddress, requestHeaders, responseHeaders, ...rest } =
    redactEntry(entry);
  const { requestBody, responseBody, ...members } = rest;
  return {
    ...members,
    request: { contentType, remoteAddress, body: requestBody },
    response: { body: responseBody },
    rule: rule === null ? null : describeRule(world, rule),
    hints: [...members.hints],
    changes: trace.changes.map(({ kind, id, action }) => ({ kind, id, action })),
    events: trace.events.map(({ id, type, resourceId }) => ({ id, eventType: type, resourceId })),
  };
}

/** Returns a journal entry as the control plane shows it, with secrets masked. */
function viewRequest(world: World, entry: JournalEntry): z.input<typeof RequestView> {
  const summary = summarizeRequest(world, entry);
  return {
    ...summary,
    request: { ...summary.request, headers: redactHeaders(entry.requestHeaders) },
    response: { ...summary.response, headers: redactHeaders(entry.responseHeaders) },
    changes: entry.trace.changes.map(({ kind, id, action, before, after }) => ({
      kind,
      id,
      action,
      before: viewStored(kind, before),
      after: viewStored(kind, after),
    })),
  };
}

/** The parameters that select requests of the journal. An omitted one matches all. */
const requestFilters = {
  path: z
    .string()
    .optional()
    .describe('The path of the request, with or without /v1, or a pattern with {id}.'),
  method: z
    .string()
    .toUpperCase()
    .refine(method => METHODS.includes(method), 'must be a method of HTTP, such as POST')
    .optional()
    .describe('Method of the request, such as POST.'),
  status: z
    .string()
    .regex(/^[1-5](\d\d|xx)$/, 'must be an HTTP status such as 409, or a class of them such as 4xx')
    .optional()
    .describe('A status such as 409, or a class such as 4xx.'),
  partnerId: z.string().optional().describe('Default: all partners, and requests of none.'),
  operation: z.string().optional().describe('Id of the operation, such as cards.issue.'),
  since: EarliestTimestamp.optional().describe('Earliest sandbox time, inclusive, ISO 8601.'),
} as const;

/** Conditions on a request, times in milliseconds since 1970. An omitted condition matches any. */
type RequestFilters = { readonly [K in keyof typeof requestFilters]?: z.output<(typeof requestFilters)[K]> };

/** Returns the requests that match, newest first. Throws a 404 for an unknown partner, and a 400 for an operation or a path that there is not. */
function findRequests(state: WorldState, world: World, filters: RequestFilters): JournalEntry[] {
  knownPartner(state, filters.partnerId);
  checkOperation(world, filters.operation);
  const path = knownPath(world, filters.path);
  return state.journal.newestFirst().filter(entry => matches(entry, { ...filters, path }));
}

function matches(entry: JournalEntry, filters: RequestFilters): boolean {
  const { path, method, status, partnerId, operation, since } = filters;
  return (
    (path === undefined || [entry.path.slice(API_PREFIX.length), entry.pattern].includes(path)) &&
    (method === undefined || entry.method === method) &&
    (status === undefined || String(entry.status).startsWith(status.replace('xx', ''))) &&
    (partnerId === undefined || entry.partnerId === partnerId) &&
    (operation === undefined || entry.operation === operation) &&
    (since === undefined || timeOf(entry.at) >= since)
  );
}

function checkOperation({ operations }: World, id: string | undefined): void {
  const known = operations.filter(({ plane }) => plane === 'partner').map(each => each.id);
  if (id === undefined || known.includes(id)) return;
  throw badRequest(
    assumed('journal'),
    `query.operation: ${JSON.stringify(shorten(id))} is not an operation below ${API_PREFIX}${suggestion(id, known)}`,
  );
}

/**
 * Returns a path without the prefix of the API, or the pattern of an operation, whatever its parameters are called. A path
 * that no operation has matches no request that a test would count, so that a typo must not pass for a 0.
 */
function knownPath({ operations }: World, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const relative = isBelow(path, API_PREFIX) ? path.slice(API_PREFIX.length) : path;
  const routes = operations.filter(({ plane }) => plane === 'partner');
  const route = routes.find(each => withoutNames(each.path) === withoutNames(relative));
  if (route !== undefined) return route.path;
  if (!/[{}]/.test(relative) && routes.some(each => standsFor(each.path, relative))) return relative;
  const nearest = nearestOperation(routes, 'GET', relative);
  const hint = nearest === null ? '; GET /openapi.json lists the paths' : `; did you mean ${nearest}?`;
  throw badRequest(
    assumed('journal'),
    `query.path: no operation has the path ${JSON.stringify(shorten(path))}${hint}`,
  );
}

/** Whether a pattern stands for a path. */
function standsFor(pattern: string, path: string): boolean {
  const segments = path.split('/');
  const expected = pattern.split('/');
  return (
    segments.length === expected.length &&
    expected.every(
      (each, index) => each === segments[index] || (each.startsWith('{') && segments[index] !== ''),
    )
  );
}

const listRequests = operation({
  id: 'requests.list',
  plane: 'control',
  method: 'GET',
  path: '/requests',
  summary: 'List the last 1,000 API requests, newest first, with the rule behind each response',
  fidelity: assumed('journal'),
  query: z.object({
    ...requestFilters,
    limit: optionalNumber(MAX_ENTRIES, 'Maximum number of entries.', 1, MAX_ENTRIES),
  }),
  responses: { 200: z.array(RequestView) },
  run({ state, world, query: { limit, ...filters } }) {
    const found = findRequests(state, world, filters).slice(0, limit);
    return reply(
      200,
      found.map(entry => viewRequest(world, entry)),
    );
  },
});

const countRequests = operation({
  id: 'requests.count',
  plane: 'control',
  method: 'GET',
  path: '/requests/count',
  summary: 'Count the API requests of the journal',
  fidelity: assumed('journal'),
  query: z.object(requestFilters),
  responses: { 200: z.strictObject({ count: z.int() }) },
  run: ({ state, world, query }) => reply(200, { count: findRequests(state, world, query).length }),
});

const getRequest = operation({
  id: 'requests.get',
  plane: 'control',
  method: 'GET',
  path: '/requests/{id}',
  summary: 'Get an API request of the journal',
  fidelity: assumed('journal'),
  responses: { 200: RequestView },
  run({ state, world, params }) {
    const entry = state.journal.newestFirst().find(({ id }) => id === params.id);
    if (entry === undefined) throw notFound('request in the journal', params.id);
    return reply(200, { ...viewRequest(world, entry), wouldPass: [...world.acceptedInput(entry)] });
  },
});

const clearRequests = operation({
  id: 'requests.clear',
  plane: 'control',
  method: 'DELETE',
  path: '/requests',
  summary: 'Clear the journal, or the requests of one partner in it',
  fidelity: assumed('journal'),
  query: z.object({ partnerId: requestFilters.partnerId }),
  responses: { 204: null },
  run({ state, query: { partnerId } }) {
    knownPartner(state, partnerId);
    state.journal.clear(partnerId);
    return reply(204, null);
  },
});

export const requestOperations = [listRequests, countRequests, getRequest, clearRequests];
