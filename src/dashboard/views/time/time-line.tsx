import { sandboxNow } from '../../data/sandbox-time.ts';
import { dateTime, duration } from '../../ui/format.ts';
import { type Timer, timerKind } from './timers.ts';

/** Labelled moments after now, in milliseconds. */
const MARKS = [1_000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000, 86_400_000, 604_800_000];
const SHORTEST_MS = 1_000;
/** A mark has at least this much room, in percent of the line. */
const MARK_ROOM = 11;

/**
 * Pending timers on a line from now to the last one. Nearer moments have more room, as most timers are near. It is a
 * picture of the list below it, which has the texts and the buttons.
 */
export function TimeLine({ timers }: { readonly timers: readonly Timer[] }) {
  const now = sandboxNow.value;
  const last = timers.at(-1);
  if (now === null || last === undefined) return null;
  const span = Math.max(Date.parse(last.at) - now, SHORTEST_MS);
  const placeOf = (ms: number) => (Math.log1p(ms / SHORTEST_MS) / Math.log1p(span / SHORTEST_MS)) * 100;
  let free = MARK_ROOM;
  const marks = MARKS.filter(mark => {
    const hasRoom = mark < span && placeOf(mark) >= free && placeOf(mark) <= 100 - MARK_ROOM / 2;
    if (hasRoom) free = placeOf(mark) + MARK_ROOM;
    return hasRoom;
  });
  return (
    <div class="time-line" aria-hidden="true">
      <span class="time-now">now</span>
      {marks.map(mark => (
        <span key={mark} class="time-mark" style={{ left: `${placeOf(mark)}%` }}>
          {duration(mark)}
        </span>
      ))}
      {timers.map(({ at, kind, recordId }) => (
        <span
          key={`${kind} ${recordId}`}
          class={`time-dot ${kind.startsWith('delivery') ? 'webhook' : ''}`}
          style={{ left: `${placeOf(Math.max(Date.parse(at) - now, 0))}%` }}
          title={`${dateTime(at)}: ${timerKind(kind).label} of ${recordId}`}
        />
      ))}
    </div>
  );
}
