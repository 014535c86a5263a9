import * as z from 'zod';
import { assumed } from '../../core/operation/errors.ts';
import { operation, streamReply } from '../../core/operation/operation.ts';
import { wholeNumber } from '../../core/store/paging.ts';
import { suggestion } from '../../core/values/nearest.ts';
import { followChanges } from './change-messages.ts';
import { followNewest } from './newest-messages.ts';
import { broadcastOf, DEFAULT_KINDS } from './stream-messages.ts';

const MAX_NEWEST = 1_000;
const HEARTBEAT_MS = 15_000;
/** How long a browser waits before it reconnects. */
const RECONNECT_MS = 1_000;

const KINDS = [...DEFAULT_KINDS, 'change'];

const Kinds = z.string().transform((text, context) => {
  const kinds = text.split(',').map(each => each.trim());
  const unknown = kinds.find(each => !KINDS.includes(each));
  if (unknown === undefined) return new Set(kinds);
  const message = `must be a comma-separated list of ${KINDS.join(', ')}${suggestion(unknown, KINDS)}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const follow = operation({
  id: 'stream',
  plane: 'control',
  method: 'GET',
  path: '/stream',
  summary: 'Stream what happens in the sandbox as server-sent events',
  fidelity: assumed('event-stream'),
  query: z.object({
    kinds: Kinds.optional().describe(
      `A comma-separated list of ${KINDS.join(', ')}. Default: all but change.`,
    ),
    newest: wholeNumber(1, MAX_NEWEST, `must be a whole number from 1 to ${MAX_NEWEST}`)
      .optional()
      .describe(
        'Of more messages of a kind in a quarter of a second, send only this many, the newest, and a message skipped. All changes are sent.',
      ),
  }),
  responses: { 200: null },
  run({ state: { realTime }, world, query: { kinds, newest } }) {
    return streamReply(send => {
      send(`: hello from card-sandbox ${world.version}\nretry: ${RECONNECT_MS}\n\n`);
      const removeReader =
        newest === undefined ? broadcastOf(world).add(kinds, send) : followNewest(world, kinds, newest, send);
      const stopChanges = kinds?.has('change') ? followChanges(world, send) : null;
      let cancelHeartbeat: () => void;
      const scheduleHeartbeat = () => {
        cancelHeartbeat = realTime.after(HEARTBEAT_MS, () => {
          send(': still here\n\n');
          scheduleHeartbeat();
        });
      };
      scheduleHeartbeat();
      return () => {
        removeReader();
        stopChanges?.();
        cancelHeartbeat();
      };
    });
  },
});

/** The operation that streams what happens. */
export const streamOperations = [follow];
