import '../styles/presenter.css';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { StoryView } from '../../control/world/stories.ts';
import { every } from '../browser.ts';
import { needsToken } from '../data/http.ts';
import { isMain, world } from '../data/world.ts';
import { openTokenForm } from '../forms/token.ts';
import { Button } from '../ui/button.tsx';
import { count, dateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { isNotesWindow, presented } from './address.ts';
import { People, Strip } from './people.tsx';
import {
  follow,
  goToStep,
  isAtEnd,
  isEndAsked,
  isOffline,
  isPlaying,
  openStory,
  problem,
  step,
  stories,
  story,
} from './playing.ts';
import {
  forgetKeys,
  goBack,
  goOn,
  isArmed,
  isBlank,
  isDetailed,
  KEYS,
  nextStory,
  onPresenterKey,
  quit,
  toggleDetails,
  typedStep,
  unknownNumber,
} from './screen.ts';
import { StepText, Wire } from './step.tsx';
import { AllStories, openStepList, StoryLink } from './story-list.tsx';

/** How often the page looks which step other tabs have played. */
const FOLLOW_MS = 1_000;

/** Presenter mode: plays a story step by step in large type. Without a story, the list of all. */
export function Presenter({ story: id }: { readonly story: string | null }) {
  const isLocked = needsToken.value;
  // Before the screen is painted: an effect that ran later would take a key that is pressed at once.
  useLayoutEffect(() => {
    isEndAsked.value = false;
    forgetKeys();
  }, [id, isLocked]);
  useEffect(() => {
    if (!isLocked) void openStory(id);
  }, [id, isLocked]);
  useEffect(() => every(FOLLOW_MS, () => void follow()), []);
  useLayoutEffect(() => {
    if (isNotesWindow) return;
    document.addEventListener('keydown', onPresenterKey);
    return () => document.removeEventListener('keydown', onPresenterKey);
  }, []);

  if (isNotesWindow) return <NotesWindow />;
  if (id === null) return <Choice />;
  const { value } = story;
  return (
    <div class={isDetailed.value && step.value > 0 && !isAtEnd.value ? 'presenter detailed' : 'presenter'}>
      <Head title={step.value > 0 && value !== null ? titleOf(value) : ''} />
      <main class="presenter-main" id="main">
        {value === null ? (
          <Missing />
        ) : step.value === 0 ? (
          <Cover story={value} />
        ) : isAtEnd.value ? (
          <End story={value} />
        ) : (
          <Step story={value} />
        )}
      </main>
      <Controls />
      {isBlank.value && (
        <div class="presenter-blank" role="img" aria-label="The screen is blank. Any key shows it." />
      )}
    </div>
  );
}

function titleOf({ title, steps }: StoryView): string {
  const chapter = steps.slice(0, step.value).findLast(each => each.chapter !== null)?.chapter;
  return chapter === undefined ? title : `${title} · ${chapter}`;
}

function Choice() {
  return (
    <div class="presenter choice">
      <main class="presenter-main" id="main">
        {stories.value === null ? <Missing /> : <AllStories />}
      </main>
      <Head title="Presenter" />
      {(isOffline.value ||
        problem.value !== null ||
        stories.value === null ||
        unknownNumber.value !== null) && (
        <footer class="presenter-foot">
          <Message />
        </footer>
      )}
    </div>
  );
}

function Head({ title }: { readonly title: string }) {
  const now = story.value?.played.at(-1)?.now;
  return (
    <header class="presenter-head">
      <Button icon="close" label="Leave" onClick={quit} />
      <span class="presenter-title">{title}</span>
      <span class="presenter-where">
        {!isMain && <b>{world}</b>} {now !== undefined && <time dateTime={now}>{dateTime(now)}</time>}
      </span>
    </header>
  );
}

function Step({ story: { parties, steps, played: all } }: { readonly story: StoryView }) {
  const played = all.at(-1);
  const text = steps[all.length - 1];
  if (played === undefined || text === undefined) return null;
  return (
    <>
      <Strip parties={parties} message={text.message} played={played} />
      {played.people.length > 0 && <People people={played.people} />}
      <StepText text={text} played={played} />
      <Wire key={`wire ${all.length}`} scenes={played.scenes} />
    </>
  );
}

function End({ story: { title, takeaway } }: { readonly story: StoryView }) {
  const next = nextStory();
  return (
    <section class="cover end" aria-label="End of the story">
      <p class="chapter">{title}</p>
      <h1>{takeaway ?? 'The end'}</h1>
      {next !== undefined && (
        <p class="step-note">
          Next story: <StoryLink id={next.id}>{next.title}</StoryLink>
        </p>
      )}
    </section>
  );
}

function Missing() {
  if (needsToken.value)
    return (
      <section class="cover">
        <h1>Presenter</h1>
        <p>Nothing is shown without the control token of this sandbox.</p>
        <Button onClick={openTokenForm}>Enter the token</Button>
      </section>
    );
  const isList = presented.value?.story === null;
  const isLoading = problem.value === null && !isOffline.value;
  return (
    <section class="cover">
      <h1>{isLoading ? 'Presenter' : `${isList ? 'The stories' : 'This story'} cannot be shown`}</h1>
      {isLoading && <p>Loading…</p>}
      {!isLoading && <p>Press Esc for {isList ? 'the dashboard' : 'the list of stories'}.</p>}
    </section>
  );
}

function Controls() {
  const steps = story.value?.steps.length ?? 0;
  const isLast = steps > 0 && step.value === steps;
  return (
    <footer class="presenter-foot">
      <progress max={steps === 0 ? 1 : steps} value={step.value} aria-label="Steps that have been played" />
      <Button disabled={steps === 0} onClick={openStepList}>
        {step.value} of {steps}
      </Button>
      <Message />
      {step.value > 0 && !isAtEnd.value && (
        <Button kind="details" aria-pressed={isDetailed.value} onClick={toggleDetails}>
          <kbd>d</kbd> Details
        </Button>
      )}
      <Button icon="again" onClick={() => void goToStep(0)} disabled={step.value === 0}>
        Restart
      </Button>
      <Button icon="back" onClick={goBack} disabled={step.value === 0}>
        Back
      </Button>
      <button
        type="button"
        class="button primary presenter-next"
        aria-busy={isPlaying.value}
        disabled={story.value === null || isOffline.value}
        onClick={goOn}
      >
        <span>{isAtEnd.value ? 'Next story' : isLast ? 'End' : step.value === 0 ? 'Start' : 'Next'}</span>
        <Icon name="next" />
      </button>
    </footer>
  );
}

function Message() {
  const trouble = isOffline.value ? 'The sandbox does not respond. Retrying…' : problem.value;
  const hint =
    typedStep.value === ''
      ? (unknownNumber.value ?? (isArmed.value && 'Press r again to begin again.'))
      : `Go to step ${typedStep.value}: Enter`;
  if (trouble === null)
    return (
      <p class="presenter-message" role="status">
        {hint}
      </p>
    );
  return (
    <p class="presenter-message presenter-problem" role="alert">
      {trouble}
    </p>
  );
}

function Cover({ story }: { readonly story: StoryView }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what does not fit is scrolled with the keyboard, too */}
      <section class="cover" aria-label="Story" tabIndex={0}>
        <p class="chapter">{count(story.steps.length, 'step')}</p>
        <h1>{story.title}</h1>
        {story.description !== null && <p class="step-note">{story.description}</p>}
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

/** A window for the presenter alone: the notes of the step that is shown, and what comes next. */
function NotesWindow() {
  const { value } = story;
  const current = value?.steps[step.value - 1];
  const next = value?.steps[step.value];
  return (
    <main class="notes-window" id="main">
      {value !== null && (
        <p class="chapter">
          {step.value} of {value.steps.length}
        </p>
      )}
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
