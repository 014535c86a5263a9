import type { StoryView } from '../../control/world/stories.ts';
import { count } from '../ui/format.ts';
import { lostStep } from './playing.ts';
import { KEYS } from './screen.ts';

/** The beginning of a story: what it is about, and the keys of the presenter. */
export function Cover({ story }: { readonly story: StoryView }) {
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
