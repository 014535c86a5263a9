import * as z from 'zod';
import type { JournalEntry } from '../../core/journal/journal.ts';
import { assumed, badRequest } from '../../core/operation/errors.ts';
import { suggestion } from '../../core/values/nearest.ts';
import { API_PREFIX } from '../../core/values/plane.ts';
import { shorten } from '../../core/values/text.ts';
import { Timestamp } from '../../core/values/timestamp.ts';
import type { World } from '../../core/world/world.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { knownPartner } from '../known-partner.ts';

/** The parameters that select requests of the journal. An omitted one matches all. */
export const requestFilters = {
  path: z
    .string()
    .optional()
    .describe('The path of the request, with or without /v1, or a pattern with {id}.'),
  method: z.string().optional(),
  status: z
    .string()
    .regex(/^[1-5](\d\d|xx)$/, 'must be an HTTP status such as 409, or a class of them such as 4xx')
    .optional()
    .describe('A status such as 409, or a class such as 4xx.'),
  partnerId: z.string().optional().describe('Default: all partners, and requests of none.'),
  operation: z.string().optional().describe('Id of the operation, such as cards.create.'),
  since: Timestamp.optional().describe('Earliest sandbox time, inclusive, ISO 8601.'),
  until: Timestamp.optional().describe('Latest sandbox time, inclusive, ISO 8601.'),
  recordId: z.string().optional().describe('Id of a record that the request changed.'),
} as const;

/** Conditions on a request. An omitted condition matches any. */
export interface RequestFilters {
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  /** A status or a class of them, such as `4xx`. */
  readonly status?: string | undefined;
  readonly partnerId?: string | undefined;
  readonly operation?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Milliseconds since 1970. */
  readonly until?: number | undefined;
  readonly recordId?: string | undefined;
}

/** Returns the requests that match, newest first. Throws a 404 for an unknown partner, and a 400 for an unknown operation. */
export function findRequests(state: WorldState, world: World, filters: RequestFilters): JournalEntry[] {
  knownPartner(state, filters.partnerId);
  checkOperation(world, filters.operation);
  return state.journal.newestFirst().filter(entry => matches(entry, filters));
}

function matches(entry: JournalEntry, filters: RequestFilters): boolean {
  const { path, method, status, partnerId, operation, since, until, recordId } = filters;
  return (
    (path === undefined || [entry.path, entry.path.slice(API_PREFIX.length), entry.pattern].includes(path)) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (status === undefined || String(entry.status).startsWith(status.replace('xx', ''))) &&
    (partnerId === undefined || entry.partnerId === partnerId) &&
    (operation === undefined || entry.operation === operation) &&
    (since === undefined || Date.parse(entry.at) >= since) &&
    (until === undefined || Date.parse(entry.at) <= until) &&
    (recordId === undefined || entry.trace.changes.some(({ id }) => id === recordId))
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
