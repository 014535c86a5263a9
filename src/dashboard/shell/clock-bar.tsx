import { useSignal } from '@preact/signals';
import { count } from '../ui/format.ts';
import { sandboxNow } from '../data/sandbox-time.ts';
import { advance, toggleClock } from '../data/actions.ts';
import { clock } from '../data/store.ts';
import { Icon } from '../ui/icons.tsx';

/** The delays of the webhook retries, which are what people wait for. */
const STEPS = ['1m', '5m', '30m', '2h', '24h'] as const;

/** A step as people write it: `30 m`. */
function spaced(step: string): string {
  return step.replace(/[mh]/, ' $&');
}

/** What time it is in the sandbox, what is still to come, and the ways to get there. */
export function ClockBar() {
  const isMoving = useSignal(false);
  const read = clock.value.value;
  const now = sandboxNow.value;
  const isFrozen = read?.mode === 'frozen';

  async function go(duration: string) {
    isMoving.value = true;
    await advance(duration);
    isMoving.value = false;
  }

  return (
    <section class={`clock-bar ${isFrozen ? 'frozen' : ''}`} aria-label="Sandbox clock">
      <div class="clock-now">
        <Icon name="clock" />
        <time>
          {now === null ? '…' : <Moment ms={now} />} <span class="zone">UTC</span>
        </time>
        <span class={`badge ${isFrozen ? 'info' : 'good'}`}>{read === null ? '…' : read.mode}</span>
        <span class="timers">{count(read?.pendingTimers ?? 0, 'timer')} pending</span>
      </div>
      <div class="clock-moves">
        <span class="clock-label" id="advance-label">
          Advance
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a border and a legend */}
        <div class="segments" role="group" aria-labelledby="advance-label">
          {STEPS.map(step => (
            <button
              key={step}
              type="button"
              disabled={isMoving.value}
              aria-label={`Advance ${spaced(step)}`}
              onClick={() => void go(step)}
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

function Moment({ ms }: { readonly ms: number }) {
  const text = new Date(ms).toISOString();
  return (
    <>
      <span class="clock-day">{text.slice(0, 10)}</span> {text.slice(11, 19)}
    </>
  );
}
