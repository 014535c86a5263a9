import '../styles/presenter.css';
import { useEffect, useState } from 'preact/hooks';
import type { StoryView } from '../../control/world/stories.ts';
import { every, monotonicNow } from '../browser.ts';
import { needsToken } from '../data/http.ts';
import { isMain, world } from '../data/world.ts';
import { count, dateTime, duration } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { isNotesWindow } from './address.ts';
import {
  goOn,
  isOffline,
  isPlaying,
  lostStep,
  openStory,
  problem,
  reload,
  step,
  stories,
  story,
} from './playing.ts';
import {
  armedKey,
  goBack,
  isBlank,
  isListOpen,
  KEYS,
  onPresenterKey,
  quit,
  restart,
  typedStep,
} from './screen.ts';
import { StepText, Traffic } from './step.tsx';
import { StoryList } from './story-list.tsx';

const ARMED = {
  r: 'Press r again to start again from the beginning.',
  Escape: 'Press Esc again to leave.',
} as const;

/** How often the window looks which step is shown. */
const LOOK_MS = 500;

/** Presenter mode: plays a story step by step in large type, with what happens in each step beside it. */
export function Presenter({ story: id }: { readonly story: string | null }) {
  const isLocked = needsToken.value;
  useEffect(() => {
    if (!isLocked) void openStory(id);
  }, [id, isLocked]);
  useEffect(() => {
    if (isNotesWindow) return;
    document.addEventListener('keydown', onPresenterKey);
    return () => document.removeEventListener('keydown', onPresenterKey);
  }, []);

  if (isNotesWindow) return <NotesWindow />;
  const { value } = story;
  return (
    <div class="presenter">
      <header class="presenter-head">
        <button
          type="button"
          class="icon-button"
          aria-label="Leave the presenter"
          onClick={() => void quit()}
        >
          <Icon name="close" />
        </button>
        <span class="presenter-title">{step.value > 0 && value?.title}</span>
        <Where />
      </header>
      <main class="presenter-main" id="main">
        {value === null ? <Missing /> : step.value === 0 ? <Cover story={value} /> : <Step />}
      </main>
      <Controls />
      <StoryList />
      {isBlank.value && (
        <div class="presenter-blank" role="img" aria-label="The screen is blank. Any key shows it." />
      )}
    </div>
  );
}

function Where() {
  const now = story.value?.played.at(-1)?.now;
  return (
    <span class="presenter-where">
      {!isMain && <b>{world}</b>} {now !== undefined && <time dateTime={now}>{dateTime(now)}</time>}
    </span>
  );
}

function Step() {
  const played = story.value?.played[step.value - 1];
  const text = story.value?.steps[step.value - 1];
  if (played === undefined || text === undefined) return null;
  return (
    <>
      <StepText text={text} played={played} />
      <Traffic scenes={played.scenes} />
    </>
  );
}

function Missing() {
  const isLoading = problem.value === null && !isOffline.value;
  return (
    <section class="cover">
      <h1>{isLoading ? 'Presenter' : 'This story cannot be shown'}</h1>
      {!isOffline.value && problem.value === null && <p>Loading…</p>}
      {stories.value !== null && !isLoading && <p>Press g for the list of stories.</p>}
    </section>
  );
}

function Controls() {
  const steps = story.value?.steps.length ?? 0;
  const isOver = steps > 0 && step.value === steps;
  const cannotPlay = story.value === null || story.value.problem !== null || isOffline.value;
  return (
    <footer class="presenter-foot">
      <progress max={steps === 0 ? 1 : steps} value={step.value} aria-label="Steps that have been played" />
      <button
        type="button"
        class="button"
        onClick={() => {
          isListOpen.value = true;
        }}
      >
        {steps === 0 ? 'Stories' : `${step.value} of ${steps}`}
      </button>
      <Message />
      <button type="button" class="button" onClick={restart} disabled={step.value === 0}>
        <Icon name="again" />
        <span>Restart</span>
      </button>
      <button type="button" class="button" onClick={goBack} disabled={step.value === 0}>
        <Icon name="back" />
        <span>Back</span>
      </button>
      <button
        type="button"
        class="button primary presenter-next"
        aria-busy={isPlaying.value}
        disabled={cannotPlay || isOver}
        onClick={() => void goOn()}
      >
        <span>{isOver ? 'The end' : step.value === 0 ? 'Start' : 'Next'}</span>
        <Icon name="next" />
      </button>
    </footer>
  );
}

function Message() {
  const trouble = isOffline.value ? 'The sandbox does not respond. Retrying…' : problem.value;
  const hint =
    typedStep.value === '' ? armedKey.value && ARMED[armedKey.value] : `Go to step ${typedStep.value}: Enter`;
  if (trouble !== null)
    return (
      <p class="presenter-message presenter-problem" role="alert">
        {trouble}
      </p>
    );
  return (
    <p class="presenter-message" role="status">
      {hint}
    </p>
  );
}

function Cover({ story }: { readonly story: StoryView }) {
  return (
    <>
      <section class="cover">
        <p class="step-number">{count(story.steps.length, 'step')}</p>
        <h1>{story.title}</h1>
        {story.description !== null && <p class="step-note">{story.description}</p>}
        {story.problem !== null && (
          <p class="presenter-problem" role="alert">
            {story.problem}
          </p>
        )}
        {lostStep.value > 0 && (
          <p class="presenter-problem" role="status">
            The sandbox no longer has this story: it was started again, reset, or played another one. The next
            key plays it up to step {lostStep.value} again.
          </p>
        )}
      </section>
      <section class="traffic keys" aria-label="Keys">
        <dl>
          {KEYS.map(([keys, meaning]) => (
            <div key={meaning}>
              <dt>
                {keys.map((key, index) => (
                  <kbd key={index}>{key}</kbd>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

/** A window for the presenter alone: the notes of the step that is shown, what comes next, and the time. */
function NotesWindow() {
  const [ms, setMs] = useState(0);
  useEffect(() => {
    const start = monotonicNow();
    return every(LOOK_MS, () => {
      setMs(monotonicNow() - start);
      void reload();
    });
  }, []);
  const { value } = story;
  const current = value?.steps[step.value - 1];
  const next = value?.steps[step.value];
  return (
    <main class="notes-window" id="main">
      <p class="step-number">
        {value === null ? 'Notes' : `${step.value} of ${value.steps.length}`} · <time>{duration(ms)}</time>
      </p>
      <h1>{current?.heading ?? value?.title ?? 'Notes'}</h1>
      <p class="notes">
        {current === undefined ? value?.description : (current.speakerNotes ?? current.note)}
      </p>
      {next !== undefined && (
        <p class="notes-next">
          Next: <b>{next.heading}</b>
        </p>
      )}
    </main>
  );
}
