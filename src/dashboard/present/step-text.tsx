import type { StoryChange, StoryView } from '../../control/world/stories.ts';
import { readable } from '../ui/format.ts';
import { step, story } from './playing.ts';

/** What fits beside the step without scrolling, in records, members of each, and differences. */
const MAX_RECORDS = 3;
const MAX_MEMBERS = 3;
const MAX_DIFFERENCES = 3;

interface StepTextProps {
  readonly text: StoryView['steps'][number];
  readonly played: StoryView['played'][number];
}

/** The heading of the step, what became of it, and the records that it changed. */
export function StepText({ text, played }: StepTextProps) {
  return (
    <section class="step" aria-label="Step">
      <div aria-live="polite">
        <p class="step-number">
          {step.value} of {story.value?.steps.length}
        </p>
        <h1>{text.heading}</h1>
        {text.note !== null && <p class="step-note">{text.note}</p>}
        {played.status === 'skipped' && <p class="step-note">Skipped: {played.reason}</p>}
        {played.status === 'failed' && <Failure differences={played.differences} />}
      </div>
      {played.changes.length > 0 && <Changes changes={played.changes} />}
    </section>
  );
}

function Failure({ differences }: { readonly differences: readonly string[] }) {
  return (
    <div class="presenter-problem" role="alert">
      <b>Not as expected</b>
      <ul>
        {differences.slice(0, MAX_DIFFERENCES).map(each => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <More of={differences.length} shown={MAX_DIFFERENCES} />
    </div>
  );
}

function Changes({ changes }: { readonly changes: readonly StoryChange[] }) {
  return (
    <section class="changes" aria-label="Changed records">
      {changes.slice(0, MAX_RECORDS).map(({ kind, id, action, members }) => (
        <div class="change" key={`${kind} ${id}`}>
          <p class="change-head">
            <b>{kind}</b> {action} <code>{id}</code>
          </p>
          {members.slice(0, MAX_MEMBERS).map(({ name, before, after }) => (
            <p class="change-member" key={name}>
              <span>{readable(name)}</span> <del>{before}</del> → <ins>{after}</ins>
            </p>
          ))}
          <More of={members.length} shown={MAX_MEMBERS} />
        </div>
      ))}
      <More of={changes.length} shown={MAX_RECORDS} />
    </section>
  );
}

/** How many of a list are not shown. */
export function More({ of, shown }: { readonly of: number; readonly shown: number }) {
  return of > shown ? <p class="more">and {of - shown} more</p> : null;
}
