import { useSignal } from '@preact/signals';
import { advance, toggleClock } from '../data/actions.ts';
import { sandboxNow } from '../data/sandbox-time.ts';
import { clock } from '../data/store.ts';
import { count } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';

/** The delays between webhook attempts (interface section 6.4): what users most often wait for. */
const STEPS = ['1m', '5m', '30m', '2h', '24h'] as const;

/** Returns a duration with a space before its unit: `30 m`. */
function spaced(step: string): string {
  return step.replace(/[mh]/, ' $&');
}

/** The sandbox time, the number of pending timers, and the buttons that move the clock. */
export function ClockBar() {
  const isMoving = useSignal(false);
  const state = clock.data.value;
  const now = sandboxNow.value;
  const isFrozen = state?.mode === 'frozen';

  async function move(duration: string) {
    isMoving.value = true;
    await advance(duration);
    isMoving.value = false;
  }

  return (
    <section class={`clock-bar ${isFrozen ? 'frozen' : ''}`} aria-label="Sandbox clock">
      <div class="clock-now">
        <Icon name="clock" />
        <time>
          {now === null ? '…' : <DateTime ms={now} />} <span class="zone">UTC</span>
        </time>
        <span class={`badge ${isFrozen ? 'info' : 'good'}`}>{state?.mode ?? '…'}</span>
        <span class="timers">{count(state?.pendingTimers ?? 0, 'timer')} pending</span>
      </div>
      <div class="clock-moves">
        <span class="clock-label" id="advance-label">
          Advance
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend */}
        <div class="segments" role="group" aria-labelledby="advance-label">
          {STEPS.map(step => (
            <button
              key={step}
              type="button"
              disabled={isMoving.value}
              aria-label={`Advance ${spaced(step)}`}
              onClick={() => void move(step)}
            >
              {spaced(step)}
            </button>
          ))}
        </div>
        <button type="button" class="button" onClick={() => void toggleClock()}>
          <Icon name={isFrozen ? 'play' : 'pause'} />
          <span>{isFrozen ? 'Resume' : 'Freeze'}</span>
        </button>
      </div>
    </section>
  );
}

function DateTime({ ms }: { readonly ms: number }) {
  const text = new Date(ms).toISOString();
  return (
    <>
      <span class="clock-day">{text.slice(0, 10)}</span> {text.slice(11, 19)}
    </>
  );
}
