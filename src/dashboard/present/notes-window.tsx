import { useEffect, useState } from 'preact/hooks';
import { elapsed, every } from '../browser/timers.ts';
import { duration } from '../ui/format.ts';
import { reload, step, story } from './playing.ts';

/** How often the window looks which step is shown. */
const LOOK_MS = 500;

/** A window for the presenter alone: the notes of the step that is shown, what comes next, and the time. */
export function NotesWindow() {
  const [ms, setMs] = useState(0);
  useEffect(() => {
    const start = elapsed();
    return every(LOOK_MS, () => {
      setMs(elapsed() - start);
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
