import type { ComponentChildren } from 'preact';
import type { StorySummary, StoryView } from '../../control/world/stories.ts';
import { openDialog } from '../ui/dialog.tsx';
import { count } from '../ui/format.ts';
import { linkTo } from './address.ts';
import { choose, goToStep, step, stories, story } from './playing.ts';

interface StoryLinkProps {
  readonly id: string;
  readonly children: ComponentChildren;
}

/** A link that opens a story without a load of the page. */
export function StoryLink({ id, children }: StoryLinkProps) {
  return (
    <a
      href={linkTo(id)}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
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

export function openStepList(): void {
  openDialog({ title: 'Steps', kind: 'step-list', Content: StepList });
}

function StepList({ close }: { readonly close: () => void }) {
  return (
    <div class="story-chapters">
      {chaptersOf(story.value).map(({ title, steps }) => (
        <section key={steps[0]?.number}>
          {title !== null && <h3>{title}</h3>}
          <ol>
            {steps.map(({ number, heading }) => (
              <li key={number}>
                <button
                  type="button"
                  aria-current={number === step.value ? 'step' : undefined}
                  class={number <= step.value ? 'done' : ''}
                  onClick={() => {
                    close();
                    void goToStep(number);
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
  );
}

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
