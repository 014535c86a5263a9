import { useEffect } from 'preact/hooks';
import { advanceTo } from '../../data/actions.ts';
import { sandboxNow } from '../../data/sandbox-time.ts';
import { clock } from '../../data/store.ts';
import { linkTo } from '../../route.ts';
import { count, dateTime, relativeTime } from '../../ui/format.ts';
import { Button, Empty, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { TimeLine } from './time-line.tsx';
import { MAX_TIMERS, type Timer, timerKind, timers } from './timers.ts';

/** What the clock will run, and when. */
export const timeView: View = {
  name: 'time',
  title: 'Time',
  icon: 'clock',
  group: 'Sandbox',
  key: 'i',
  Page: Time,
};

function Time() {
  const state = clock.data.value;
  // Whatever adds or runs a timer is news of the clock.
  useEffect(() => void timers.load(), [state]);
  const all = timers.data.value;
  const [next] = all ?? [];
  return (
    <div class="page">
      <header class="view-head">
        <h1>
          Time <span class="tally">{count(state?.pendingTimers ?? 0, 'timer')} pending</span>
        </h1>
        <Button
          icon="next"
          tone="primary"
          disabled={next === undefined}
          onClick={() => next !== undefined && void advanceTo(next.at)}
        >
          Run to next
        </Button>
      </header>
      <p class="lead">
        Webhook retries and decisions wait for the sandbox clock. An advance runs everything that falls due on
        the way, each at its own time, and can be undone.
      </p>
      {all?.length === 0 && (
        <Empty icon="clock" title="Nothing is waiting for the clock">
          <p>A submitted KYC and a failed webhook add timers.</p>
        </Empty>
      )}
      {all !== null && all.length > 0 && (
        <Section title="Line of time">
          <TimeLine timers={all} />
          <ol class="timer-list">
            {all.map(timer => (
              <TimerItem key={`${timer.kind} ${timer.recordId}`} timer={timer} />
            ))}
          </ol>
          {all.length === MAX_TIMERS && <p class="note">These are the next {MAX_TIMERS}.</p>}
        </Section>
      )}
    </div>
  );
}

function TimerItem({ timer: { at, kind, recordId } }: { readonly timer: Timer }) {
  const { label, view } = timerKind(kind);
  const now = sandboxNow.value;
  return (
    <li>
      <time dateTime={at} title={dateTime(at)}>
        {now === null ? '' : relativeTime(at, now)}
      </time>
      <span class="timer-kind">{label}</span>
      {view === null ? <code>{recordId}</code> : <a href={linkTo(view, recordId)}>{recordId}</a>}
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
