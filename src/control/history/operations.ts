import * as z from 'zod';
import { type HistoryEntry, MAX_ENTRIES } from '../../core/journal/history.ts';
import { ApiError, assumed, badRequest } from '../../core/operation/errors.ts';
import { contentReply, operation, reply } from '../../core/operation/operation.ts';
import { redactPath, redactText } from '../../core/redaction/redact.ts';
import { mayHaveWritten } from '../../core/request/http.ts';
import { optionalNumber } from '../../core/store/paging.ts';
import { isoTime } from '../../core/values/timestamp.ts';
import type { World } from '../../core/world/world.ts';
import { recordContent, TooLargeForRecord } from './record/write.ts';

const RULE = assumed('history');

const HistoryView = z
  .strictObject({
    id: z.string().describe('`ent_` and its place since the world began.'),
    requestId: z.string().exactOptional().describe('Id in the journal, of an API request.'),
    plane: z.enum(['partner', 'control', 'page']),
    at: z.string().describe('Sandbox time, ISO 8601.'),
    method: z.string(),
    path: z.string(),
    status: z.int(),
    summary: z.string().describe('What it was for, or why it was refused.'),
  })
  .meta({ id: 'HistoryEntry' });

export function viewEntry(entry: HistoryEntry): z.input<typeof HistoryView> {
  const { id, requestId, plane, at, request, response, summary } = entry;
  return {
    id,
    ...(requestId !== null && { requestId }),
    plane,
    at: isoTime(at),
    method: redactText(request.method),
    path: redactPath(request.path),
    status: response.status,
    summary: redactText(summary),
  };
}

const list = operation({
  id: 'history.list',
  plane: 'control',
  method: 'GET',
  path: '/history',
  summary: 'List what was done to the world from outside, newest first',
  fidelity: RULE,
  query: z.object({
    limit: optionalNumber(MAX_ENTRIES, 'Maximum number of entries.', 1, MAX_ENTRIES),
    plane: HistoryView.shape.plane
      .optional()
      .describe('Only API requests, only calls of the control plane, or only decisions on pages.'),
  }),
  responses: { 200: z.array(HistoryView) },
  run({ world, query: { limit, plane } }) {
    const { entries } = world.history;
    const found = plane === undefined ? entries : entries.filter(each => each.plane === plane);
    return reply(200, found.slice(-limit).reverse().map(viewEntry));
  },
});

const rewind = operation({
  id: 'history.rewind',
  plane: 'control',
  method: 'POST',
  path: '/rewind',
  summary: 'Go back to the state before an entry of the history',
  fidelity: RULE,
  body: z.object({
    to: z
      .string()
      .optional()
      .describe('Id of the entry, or of its request: of several, the newest. It is undone too.'),
    steps: z
      .int()
      .min(1)
      .optional()
      .describe('How many entries to undo, reads and refused requests included.'),
    writes: z
      .int()
      .min(1)
      .optional()
      .describe('How many writes to undo, with the reads and refused requests among and after them.'),
  }),
  responses: {
    200: z.strictObject({
      now: z.string().describe('Sandbox time, ISO 8601.'),
      undone: z.int().describe('Number of entries that were undone.'),
    }),
  },
  errors: [{ status: 404, when: 'There is no entry with this id, or it has been dropped.' }],
  run({ world, body }) {
    const undone = world.history.rewind(entryToUndo(world, body));
    return reply(200, { now: world.state.clock.timestamp(), undone });
  },
});

/** Selects the first entry to undo: exactly one of the members. */
interface RewindTarget {
  readonly to?: string | undefined;
  readonly steps?: number | undefined;
  readonly writes?: number | undefined;
}

/** The first entry to undo. Throws a 400 unless one of the members selects it, and a 404 for an unknown id. */
function entryToUndo(world: World, { to, steps, writes }: RewindTarget): HistoryEntry {
  const { history } = world;
  const { entries } = history;
  if ([to, steps, writes].filter(each => each !== undefined).length !== 1) {
    throw badRequest(
      RULE,
      'body: must have either to, the id of an entry, or steps, the number of entries to undo, or writes, the number of writes to undo',
    );
  }
  if (to !== undefined) return history.entry(to);
  const [member, what, counted] =
    writes === undefined
      ? (['steps', 'entries', entries] as const)
      : (['writes', 'writes', entries.filter(isWrite)] as const);
  const entry = counted[counted.length - (writes ?? steps ?? 0)];
  if (entry !== undefined) return entry;
  const rule =
    counted.length === 0
      ? `there is nothing to undo, because the history has no ${what}`
      : `must be at most ${counted.length}, the number of ${what} in the history`;
  throw badRequest(RULE, `body.${member}: ${rule}`);
}

/** Returns whether an entry may have changed the world. */
function isWrite({ plane, request, response, hasWritten }: HistoryEntry): boolean {
  return hasWritten ?? (plane === 'page' || mayHaveWritten(request.method, response.status));
}

const exportRecord = operation({
  id: 'history.export',
  plane: 'control',
  method: 'GET',
  path: '/history/export',
  summary: 'Export the history as a record, which can be played and opened',
  fidelity: RULE,
  query: z.object({
    from: z.string().optional().describe('Id of the first entry, or of its request. Default: the oldest.'),
    to: z.string().optional().describe('Id of the last entry, or of its request. Default: the newest.'),
  }),
  responses: { 200: null },
  mediaType: 'application/jsonl',
  errors: [
    { status: 404, when: 'There is no entry with this id, or it has been dropped.' },
    { status: 409, when: 'A state of the world is larger than a line of a record.' },
  ],
  async run({ world, query: { from, to } }) {
    const { history } = world;
    const first = from === undefined ? history.entries[0] : history.entry(from);
    const last = to === undefined ? history.entries.at(-1) : history.entry(to);
    if (first !== undefined && last !== undefined && first.number > last.number) {
      throw badRequest(RULE, `query.to: the entry ${last.id} is before ${first.id}; exchange from and to`);
    }
    try {
      return contentReply(await recordContent(world, first, last));
    } catch (error) {
      if (!(error instanceof TooLargeForRecord)) throw error;
      throw new ApiError(409, RULE, error.message);
    }
  },
});

export const historyOperations = [list, rewind, exportRecord];
