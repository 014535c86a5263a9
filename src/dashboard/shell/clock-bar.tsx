import { useSignal } from '@preact/signals';
import {
  advance,
  advanceSteps,
  advanceTo,
  lastAdvance,
  readTimers,
  sandboxNow,
  toggleClock,
  undoAdvance,
} from '../data/clock.ts';
import { clock } from '../data/store.ts';
import { linkTo } from '../route.ts';
import { Button } from '../ui/button.tsx';
import { count, dateTime, duration } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';

export function ClockBar() {
  const isMoving = useSignal(false);
  const state = clock.data.value;
  const now = sandboxNow.value;
  const [day, time] = now === null ? ['…'] : new Date(now).toISOString().split(/[T.]/);
  const isFrozen = state?.mode === 'frozen';

  /** Buttons that waited disabled would lose the focus. */
  async function move(work: () => Promise<unknown>) {
    if (isMoving.value) return;
    isMoving.value = true;
    await work();
    isMoving.value = false;
  }

  const undoText =
    lastAdvance.value === null ? 'Undo the advance' : `Undo the advance to ${dateTime(lastAdvance.value.at)}`;
  return (
    <section class={`clock-bar ${isFrozen ? 'frozen' : ''}`} aria-label="Sandbox clock">
      <div class="clock-now">
        <Icon name="clock" />
        <time>
          <span class="clock-day">{day}</span> {time} <span class="zone">UTC</span>
        </time>
        <span class={`badge ${isFrozen ? 'info' : 'good'}`}>{state?.mode ?? '…'}</span>
        <a class="timers" href={linkTo('time')}>
          {state === null ? '…' : count(state.pendingTimers, 'timer')}
          <span class="timers-word"> pending</span>
        </a>
        <Button
          icon="next"
          label="Run to the next timer"
          disabled={!state?.pendingTimers}
          onClick={() => move(runToNext)}
        />
      </div>
      <div class="clock-moves">
        <span class="clock-label" id="advance-label">
          Advance <span class="clock-label-rest">sandbox time</span>
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend */}
        <div class="segments" role="group" aria-labelledby="advance-label">
          {advanceSteps.value.map((ms, index) => (
            <button
              key={ms}
              type="button"
              aria-busy={isMoving.value || undefined}
              aria-label={`Advance ${duration(ms)}`}
              aria-keyshortcuts={`Shift+${index + 1}`}
              onClick={() => void move(() => advance(`${ms}ms`, duration(ms)))}
            >
              {duration(ms)}
            </button>
          ))}
        </div>
        <Button
          icon="undo"
          label={undoText}
          disabled={lastAdvance.value === null}
          onClick={() => move(undoAdvance)}
        />
        <Button icon={isFrozen ? 'play' : 'pause'} aria-keyshortcuts="Shift+Z" onClick={() => toggleClock()}>
          {isFrozen ? 'Resume' : 'Freeze'}
        </Button>
      </div>
    </section>
  );
}

async function runToNext(): Promise<void> {
  const [next] = await readTimers(1).catch(() => []);
  if (next !== undefined) await advanceTo(next.at);
}
