import { useSignal } from '@preact/signals';
import {
  advance,
  advanceSteps,
  advanceTo,
  lastAdvance,
  MAX_TIMERS,
  readTimers,
  sandboxNow,
  timers,
  toggleClock,
  undoAdvance,
} from '../data/clock.ts';
import { timerKind } from '../data/enumerations.ts';
import { clock } from '../data/store.ts';
import { linkTo } from '../route.ts';
import { count, dateTime, duration } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';

/** What an advance would run: as a number for the button, and as a sentence. */
function runsWithin(ms: number, now: number | null): { readonly text: string; readonly sentence: string } {
  const due = now === null ? [] : (timers.data.value ?? []).filter(({ at }) => Date.parse(at) <= now + ms);
  if (due.length === 0) return { text: NO_TIMER, sentence: 'No timer falls due.' };
  const labels = new Map<string, number>();
  for (const { kind } of due) labels.set(kind, (labels.get(kind) ?? 0) + 1);
  const list = [...labels].map(([kind, number]) => `${timerKind(kind).label} (${number})`);
  const text = due.length === MAX_TIMERS ? `${MAX_TIMERS}+ timers` : count(due.length, 'timer');
  return { text, sentence: `Runs: ${list.join(', ')}.` };
}

const NO_TIMER = 'no timer';

export function ClockBar() {
  const isMoving = useSignal(false);
  const state = clock.data.value;
  const now = sandboxNow.value;
  const isFrozen = state?.mode === 'frozen';
  const pending = state?.pendingTimers ?? 0;

  async function move(work: () => Promise<unknown>) {
    isMoving.value = true;
    await work();
    isMoving.value = false;
  }

  const undoText =
    lastAdvance.value === null ? 'Undo the advance' : `Undo the advance to ${dateTime(lastAdvance.value.at)}`;
  const modeText = isFrozen ? 'Resume' : 'Freeze';
  return (
    <section class={`clock-bar ${isFrozen ? 'frozen' : ''}`} aria-label="Sandbox clock">
      <div class="clock-now">
        <Icon name="clock" />
        <time>
          {now === null ? '…' : <DateTime ms={now} />} <span class="zone">UTC</span>
        </time>
        <span class={`badge ${isFrozen ? 'info' : 'good'}`}>{state?.mode ?? '…'}</span>
        <a class="timers" href={linkTo('time')}>
          {count(pending, 'timer')}
          <span class="timers-word"> pending</span>
        </a>
        <button
          type="button"
          class="icon-button"
          aria-label="Run to the next timer"
          title="Run to the next timer"
          disabled={isMoving.value || pending === 0}
          onClick={() => void move(runToNext)}
        >
          <Icon name="next" />
        </button>
      </div>
      <div class="clock-moves">
        <span class="clock-label" id="advance-label">
          Advance <span class="clock-label-rest">sandbox time</span>
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend */}
        <div class="segments" role="group" aria-labelledby="advance-label">
          {advanceSteps.value.map(({ ms, retry }, index) => {
            const { text, sentence } = runsWithin(ms, now);
            const use = retry === null ? '' : ` The delay before retry ${retry} of a webhook.`;
            return (
              <button
                key={ms}
                type="button"
                class={text === NO_TIMER ? '' : 'runs'}
                disabled={isMoving.value}
                aria-label={`Advance ${duration(ms)}`}
                aria-keyshortcuts={`Shift+${index + 1}`}
                data-runs={text}
                title={`Moves sandbox time ${duration(ms)} ahead. ${sentence}${use}`}
                onClick={() => void move(() => advance(`${ms}ms`, duration(ms)))}
              >
                {duration(ms)}
              </button>
            );
          })}
        </div>
        <button
          type="button"
          class="icon-button"
          aria-label={undoText}
          title={undoText}
          disabled={isMoving.value || lastAdvance.value === null}
          onClick={() => void move(undoAdvance)}
        >
          <Icon name="undo" />
        </button>
        <button
          type="button"
          class="button"
          aria-label={modeText}
          aria-keyshortcuts="Shift+Z"
          onClick={() => void toggleClock()}
        >
          <Icon name={isFrozen ? 'play' : 'pause'} />
          <span>{modeText}</span>
        </button>
      </div>
    </section>
  );
}

async function runToNext(): Promise<void> {
  const [next] = await readTimers(1).catch(() => []);
  if (next !== undefined) await advanceTo(next.at);
}

function DateTime({ ms }: { readonly ms: number }) {
  const text = new Date(ms).toISOString();
  return (
    <>
      <span class="clock-day">{text.slice(0, 10)}</span> {text.slice(11, 19)}
    </>
  );
}
