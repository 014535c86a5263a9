import { cachedValue } from '../../data/cached-value.ts';
import { advanceTo, readTimers, sandboxNow } from '../../data/clock.ts';
import { TIMER_LABELS } from '../../data/enumerations.ts';
import { useReading } from '../../data/readings.ts';
import type { Timer } from '../../data/response-types.ts';
import { clock } from '../../data/store.ts';
import { linkTo, viewOfId } from '../../route.ts';
import { Button } from '../../ui/button.tsx';
import { count, dateTime, relativeTime } from '../../ui/format.ts';
import { Empty, Loading, Page, RecordLink, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { CheckpointList, checkpoints, openSaveForm } from './checkpoints.tsx';
import { StateFile } from './state-file.tsx';

export const timeView: View = { name: 'time', title: 'Time', icon: 'clock', key: 'i', Page: Time };

const MAX_TIMERS = 200;
const timers = cachedValue(() => readTimers(MAX_TIMERS));

function Time() {
  useReading(timers);
  useReading(checkpoints);
  const [pending, saved] = [timers.data.value, checkpoints.data.value];
  return (
    <Page
      title="Time"
      tally={clock.data.value ? count(clock.data.value.pendingTimers, 'pending timer') : '…'}
      lead={
        <>
          The clock is above every page. An advance runs everything that falls due on the way, each at its own
          time, and can be undone. <a href={linkTo('activity')}>Activity</a> goes back to before any request.
        </>
      }
    >
      {pending === null || saved === null ? (
        <Loading problem={timers.error.value ?? checkpoints.error.value} />
      ) : (
        <>
          <Timers all={pending} />
          <Section
            title="Checkpoints"
            note="A checkpoint has the whole world: records, clock, timers, keys and faults. It is kept until the sandbox stops; a reset keeps it as well."
            actions={
              <Button icon="plus" onClick={openSaveForm}>
                Save checkpoint
              </Button>
            }
          >
            <CheckpointList all={saved} />
          </Section>
          <StateFile />
        </>
      )}
    </Page>
  );
}

function Timers({ all }: { readonly all: readonly Timer[] }) {
  return (
    <Section title="Timers">
      {all.length === 0 && (
        <Empty icon="clock" title="Nothing is waiting for the clock">
          <p>A submitted KYC, an authorization and a failed webhook add timers.</p>
        </Empty>
      )}
      <ol class="timer-list">
        {all.map(timer => (
          <TimerItem key={`${timer.kind} ${timer.recordId}`} timer={timer} />
        ))}
      </ol>
      {all.length === MAX_TIMERS && <p class="note">These are the next {MAX_TIMERS}.</p>}
    </Section>
  );
}

function TimerItem({ timer: { at, kind, recordId } }: { readonly timer: Timer }) {
  const label = TIMER_LABELS[kind] ?? kind;
  // That of ids without a view; no timer is of a share token.
  const hasView = viewOfId(recordId) !== 'share-tokens';
  const now = sandboxNow.value;
  return (
    <li>
      <time dateTime={at} title={dateTime(at)}>
        {now === null ? '' : relativeTime(at, now)}
      </time>
      <span class="timer-kind">{label}</span>
      {hasView ? <RecordLink id={recordId} /> : <code>{recordId}</code>}
      <Button kind="small" aria-label={`Run to here: ${label} of ${recordId}`} onClick={() => advanceTo(at)}>
        Run to here
      </Button>
    </li>
  );
}
