import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { StorySummary, StoryView } from '../../control/world/stories.ts';
import { count } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { linkTo } from './address.ts';
import { choose, step, stories, story } from './playing.ts';
import { goToStep, isListOpen } from './screen.ts';

/** A link that opens a story without a load of the page. */
export function StoryLink({
  id,
  children,
  onOpen,
}: {
  readonly id: string;
  readonly children: ComponentChildren;
  readonly onOpen?: () => void;
}) {
  return (
    <a
      href={linkTo(id)}
      {...(id === story.value?.id ? { 'aria-current': 'page' } : {})}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen?.();
        choose(id);
      }}
    >
      {children}
    </a>
  );
}

/** The first page of the presenter: every story, with its number as its key. */
export function AllStories() {
  const all = (stories.value ?? []).map((each, index) => ({ ...each, number: index + 1 }));
  return (
    <section class="all-stories" aria-labelledby="stories-title">
      <h1 id="stories-title">Stories</h1>
      <Choices stories={all.filter(({ isFeatured }) => isFeatured)} />
      <h2>More</h2>
      <Choices stories={all.filter(({ isFeatured }) => !isFeatured)} />
      <p class="stories-hint">
        <span class="of-keys">Press the number of a story, or Tab and Enter. </span>
        Each plays in a world of its own and changes nothing in any other.
      </p>
    </section>
  );
}

function Choices({ stories }: { readonly stories: readonly (StorySummary & { readonly number: number })[] }) {
  return (
    <ol>
      {stories.map(({ id, title, description, steps, step: played, number }) => (
        <li key={id}>
          <StoryLink id={id}>
            <kbd>{number}</kbd>
            <span class="story-text">
              <b>{title}</b>
              {description !== null && <span>{description}</span>}
            </span>
            <span class="story-steps">
              {count(steps, 'step')}
              {played > 0 && `, at ${played}`}
            </span>
          </StoryLink>
        </li>
      ))}
    </ol>
  );
}

/** The list of stories, and of the steps of the one that is shown, when it is open. */
export function StoryList() {
  return isListOpen.value ? <OpenList /> : null;
}

function OpenList() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[aria-current=step]')?.focus();
  }, []);
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      class="story-list"
      aria-label="Stories and steps"
      onKeyDown={moveFocus}
      onClose={() => {
        isListOpen.value = false;
      }}
    >
      <header>
        <nav aria-label="Stories">
          {stories.value?.map(({ id, title }) => (
            <StoryLink key={id} id={id} onOpen={close}>
              {title}
            </StoryLink>
          ))}
        </nav>
        <button type="button" class="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div class="story-chapters">
        {chaptersOf(story.value).map(({ title, steps }) => (
          <section key={steps[0]?.number}>
            {title !== null && <h2>{title}</h2>}
            <ol>
              {steps.map(({ number, heading }) => (
                <li key={number}>
                  <button
                    type="button"
                    {...(number === step.value ? { 'aria-current': 'step' } : {})}
                    class={number <= step.value ? 'done' : ''}
                    onClick={() => {
                      close();
                      goToStep(number);
                    }}
                  >
                    <span class="number">{number}</span> {heading}
                  </button>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </dialog>
  );
}

/** Some steps of a story under one title. */
interface Chapter {
  readonly title: string | null;
  readonly steps: { readonly number: number; readonly heading: string }[];
}

/** The chapters of a story. One without chapters is a single one without a title. */
function chaptersOf(view: StoryView | null): readonly Chapter[] {
  const chapters: Chapter[] = [];
  for (const [index, { chapter, heading }] of (view?.steps ?? []).entries()) {
    if (chapter !== null || chapters.length === 0) chapters.push({ title: chapter, steps: [] });
    chapters.at(-1)?.steps.push({ number: index + 1, heading });
  }
  return chapters;
}

/** Lets the arrow keys move between the links and buttons of the list. */
function moveFocus(event: KeyboardEvent): void {
  const offset = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (offset === 0 || !(event.currentTarget instanceof HTMLElement)) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('a, li button')];
  const focused = all.findIndex(each => each.matches(':focus'));
  all[Math.min(Math.max(focused + offset, 0), all.length - 1)]?.focus();
  event.preventDefault();
}
