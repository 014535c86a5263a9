import { useEffect } from 'preact/hooks';
import { needsToken } from '../data/http.ts';
import { isMain, world } from '../data/world.ts';
import { dateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { isNotesWindow } from './address.ts';
import { Controls } from './controls.tsx';
import { Cover } from './cover.tsx';
import { NotesWindow } from './notes-window.tsx';
import { isOffline, openStory, problem, step, stories, story } from './playing.ts';
import { isBlank, onPresenterKey, quit } from './screen.ts';
import { StepText } from './step-text.tsx';
import { StoryList } from './story-list.tsx';
import { Traffic } from './traffic.tsx';

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

/** The world, where it is not main, and its time. */
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

/** The page without a story. */
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
