import { advanceTo, MAX_TIMERS, sandboxNow, timers } from '../../data/clock.ts';
import { timerKind } from '../../data/enumerations.ts';
import type { Timer } from '../../data/response-types.ts';
import { clock } from '../../data/store.ts';
import { count, dateTime, duration, relativeTime } from '../../ui/format.ts';
import { Button, Empty, Page, RecordLink, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';

export const timeView: View = {
  name: 'time',
  title: 'Time',
  icon: 'clock',
  group: 'Sandbox',
  key: 'i',
  Page: Time,
};

const MARKS = [1_000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000, 86_400_000, 604_800_000];
const SHORTEST_MS = 1_000;
/** A mark has at least this much room, in percent of the line. */
const MARK_ROOM = 11;

function Time() {
  const state = clock.data.value;
  const all = timers.data.value;
  const [next] = all ?? [];
  return (
    <Page
      title="Time"
      tally={`${count(state?.pendingTimers ?? 0, 'timer')} pending`}
      actions={
        <Button
          icon="next"
          tone="primary"
          disabled={next === undefined}
          onClick={() => next !== undefined && void advanceTo(next.at)}
        >
          Run to next
        </Button>
      }
      lead="Webhook retries and decisions wait for the sandbox clock. An advance runs everything that falls due on the way, each at its own time, and can be undone."
    >
      {all?.length === 0 && (
        <Empty icon="clock" title="Nothing is waiting for the clock">
          <p>A submitted KYC and a failed webhook add timers.</p>
        </Empty>
      )}
      {all !== null && all.length > 0 && (
        <Section title="Timeline">
          <Timeline of={all} />
          <ol class="timer-list">
            {all.map(timer => (
              <TimerItem key={`${timer.kind} ${timer.recordId}`} timer={timer} />
            ))}
          </ol>
          {all.length === MAX_TIMERS && <p class="note">These are the next {MAX_TIMERS}.</p>}
        </Section>
      )}
    </Page>
  );
}

function TimerItem({ timer }: { readonly timer: Timer }) {
  const { at, recordId } = timer;
  const { label, hasView } = timerKind(timer.kind);
  const now = sandboxNow.value;
  return (
    <li>
      <time dateTime={at} title={dateTime(at)}>
        {now === null ? '' : relativeTime(at, now)}
      </time>
      <span class="timer-kind">{label}</span>
      {hasView ? <RecordLink id={recordId} /> : <code>{recordId}</code>}
      <button
        type="button"
        class="button small"
        aria-label={`Run to here: ${label} of ${recordId}`}
        onClick={() => void advanceTo(at)}
      >
        Run to here
      </button>
    </li>
  );
}

/**
 * Pending timers on a line from now to the last one. Nearer moments have more room, as most timers are near. It is a
 * picture of the list below it, which has the texts and the buttons.
 */
function Timeline({ of }: { readonly of: readonly Timer[] }) {
  const now = sandboxNow.value;
  const last = of.at(-1);
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
      {of.map(timer => (
        <span
          key={`${timer.kind} ${timer.recordId}`}
          class={`time-dot ${timer.kind.startsWith('delivery') ? 'webhook' : ''}`}
          style={{ left: `${placeOf(Math.max(Date.parse(timer.at) - now, 0))}%` }}
          title={`${dateTime(timer.at)}: ${timerKind(timer.kind).label} of ${timer.recordId}`}
        />
      ))}
    </div>
  );
}
