import { useEffect } from 'preact/hooks';
import { nextTheme } from '../browser/theme.ts';
import { sandboxNow } from '../data/sandbox-time.ts';
import { go, linkTo } from '../route.ts';
import { dateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { errors } from './errors.ts';
import { lifecycle } from './lifecycle.ts';
import { reimport } from './reimport.ts';
import { back, failure, forward, isPlaying, played, restart, type Scenario, shownStep } from './stage.ts';
import { Wire } from './wire.tsx';

const SCENARIOS: readonly Scenario[] = [reimport, errors, lifecycle];

/** Presenter mode: plays a scenario step by step in large type, with its requests and responses beside it. */
export function Presenter({ scenarioId }: { readonly scenarioId: string | null }) {
  const scenario = SCENARIOS.find(({ id }) => id === scenarioId) ?? reimport;

  // Each scenario starts at its first step.
  useEffect(restart, [scenario]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => handleKey(event, scenario);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [scenario]);

  return (
    <div class="presenter">
      <header class="presenter-head">
        <a
          class="icon-button"
          href={linkTo('overview')}
          aria-label="Back to the dashboard"
          title="Back (Esc)"
        >
          <Icon name="close" />
        </a>
        <nav class="segments" aria-label="Scenarios">
          {SCENARIOS.map(({ id, title }) => (
            <a
              key={id}
              href={linkTo('present', id)}
              {...(id === scenario.id ? { 'aria-current': 'page' } : {})}
            >
              {title}
            </a>
          ))}
        </nav>
        <span class="presenter-clock">
          {sandboxNow.value !== null && dateTime(new Date(sandboxNow.value).toISOString())}
        </span>
        <button
          type="button"
          class="icon-button"
          aria-label="Change the theme"
          title="Change the theme (t)"
          onClick={nextTheme}
        >
          <Icon name="sun" />
        </button>
      </header>
      <main class="presenter-main" id="main">
        <Steps scenario={scenario} />
        <Wire
          entries={played.value[shownStep.value] ?? []}
          highlight={scenario.steps[shownStep.value]?.highlight ?? []}
        />
      </main>
    </div>
  );
}

function handleKey(event: KeyboardEvent, scenario: Scenario): void {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  const isOnControl = event.target instanceof HTMLElement && event.target.matches('a, button');
  if (event.key === 'ArrowRight' || event.key === 'PageDown' || (event.key === ' ' && !isOnControl))
    void forward(scenario);
  else if (event.key === 'ArrowLeft' || event.key === 'PageUp') back();
  else if (event.key === 'r') restart();
  else if (event.key === 't') nextTheme();
  else if (event.key === 'Escape') go('overview');
  else return;
  event.preventDefault();
}

function Steps({ scenario }: { readonly scenario: Scenario }) {
  const { steps } = scenario;
  const done = played.value.length;
  const isAtStart = done === 0;
  const isOver = done === steps.length && shownStep.value === done - 1;
  const step = steps[shownStep.value];
  const last = played.value[shownStep.value]?.at(-1)?.exchange;
  return (
    <section class="story" aria-label="Scenario">
      <div class="story-now" aria-live="polite">
        {isAtStart || step === undefined ? (
          <>
            <p class="story-step">{steps.length} steps</p>
            <h1>{scenario.title}</h1>
            <p class="story-text">{scenario.summary}</p>
          </>
        ) : (
          <>
            <p class="story-step">
              Step {shownStep.value + 1} of {steps.length}
            </p>
            <h1>{step.title}</h1>
            <p class="story-text">{step.text}</p>
            {last !== undefined && <Verdict status={last.status} expected={step.expectedStatus} />}
          </>
        )}
        {failure.value !== null && (
          <p class="problem" role="alert">
            {failure.value}
          </p>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <ol class="story-steps" tabIndex={0} aria-label="Steps">
        {steps.map(({ title }, index) => (
          <li
            key={title}
            class={index < done ? 'done' : ''}
            {...(index === shownStep.value && !isAtStart ? { 'aria-current': 'step' } : {})}
          >
            <button
              type="button"
              disabled={index >= done}
              onClick={() => {
                shownStep.value = index;
              }}
            >
              <span class="story-dot">{index < done ? <Icon name="check" /> : index + 1}</span>
              {title}
            </button>
          </li>
        ))}
      </ol>
      <footer class="story-foot">
        <button type="button" class="button" onClick={restart} disabled={isAtStart}>
          <Icon name="again" />
          <span>Restart</span>
        </button>
        <button type="button" class="button" onClick={back} disabled={shownStep.value === 0}>
          <Icon name="back" />
          <span>Back</span>
        </button>
        <button
          type="button"
          class="button primary story-next"
          disabled={isPlaying.value || isOver}
          onClick={() => void forward(scenario)}
        >
          <span>{isOver ? 'Finished' : isAtStart ? 'Start' : 'Next step'}</span>
          <Icon name="next" />
        </button>
      </footer>
    </section>
  );
}

function Verdict({ status, expected }: { readonly status: number; readonly expected: number }) {
  const tone = status !== expected ? 'bad' : status < 400 ? 'good' : 'warn';
  return (
    <p class={`verdict ${tone}`}>
      <b>{status}</b>
      <span>{status === expected ? 'as expected' : `expected ${expected}`}</span>
    </p>
  );
}
