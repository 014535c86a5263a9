import { effect, signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Problem } from './form.tsx';
import { errorText } from './format.ts';
import { Button } from './panel.tsx';
import { toast } from './toast.tsx';

/** What the user entered in a form and did not save. */
interface Draft {
  /** JSON of the saved values when the user began to edit. */
  readonly base: string;
  readonly values: object;
}

/** The drafts by form. They outlast changes from elsewhere, and the page that shows the form. */
const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

effect(() => {
  if (drafts.value.size > 0) addEventListener('beforeunload', confirmLeave);
  else removeEventListener('beforeunload', confirmLeave);
});

function confirmLeave(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** The values of a form: the saved ones, until the user edits them. */
interface EditedValues<T> {
  readonly values: T;
  readonly isEdited: boolean;
  /** Whether something else has saved other values since the user began to edit. */
  readonly isOutdated: boolean;
  /** Changes some values. Values that are all as saved are no edit. */
  edit(change: Partial<T>): void;
  discard(): void;
}

/** Returns the values of the form with this name, of which `saved` is what the sandbox has. */
export function editValues<T extends object>(name: string, saved: T): EditedValues<T> {
  const savedText = JSON.stringify(saved);
  const draft = drafts.value.get(name);
  // The form that has the name is the only one that sets its draft.
  const values = draft === undefined ? saved : (draft.values as T);

  function setDraft(changed: Draft | null): void {
    const next = new Map(drafts.value);
    if (changed === null) next.delete(name);
    else next.set(name, changed);
    drafts.value = next;
  }

  return {
    values,
    isEdited: draft !== undefined,
    isOutdated: draft !== undefined && draft.base !== savedText,
    edit(change) {
      const changed = { ...values, ...change };
      const isAsSaved = JSON.stringify(changed) === savedText;
      setDraft(isAsSaved ? null : { base: draft?.base ?? savedText, values: changed });
    },
    discard: () => setDraft(null),
  };
}

interface SettingsFormProps<T> {
  readonly form: EditedValues<T>;
  /** What is saved, such as `Settings`. */
  readonly noun: string;
  readonly save: (values: T) => Promise<unknown>;
  readonly children: ComponentChildren;
}

/** A form for settings, with its buttons and what keeps its values from being saved. */
export function SettingsForm<T>({ form, noun, save, children }: SettingsFormProps<T>) {
  const problem = useSignal<string | null>(null);
  const isEdited = useRef(false);
  isEdited.current = form.isEdited;
  useEffect(
    () => () => {
      if (isEdited.current) toast('bad', `${noun} not saved. The values are kept until you close this tab.`);
    },
    [noun],
  );

  async function submit(event: Event) {
    event.preventDefault();
    problem.value = null;
    try {
      await save(form.values);
      form.discard();
      toast('good', `${noun} saved`);
    } catch (error) {
      problem.value = errorText(error);
    }
  }

  return (
    <form class="settings-form" onSubmit={submit}>
      {children}
      <Problem text={problem.value} />
      {form.isOutdated && (
        <p class="callout" role="status">
          Something else has changed these values since you began to edit them. Saving replaces them with
          yours.
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button primary">
          Save {noun.toLowerCase()}
        </button>
        {form.isEdited && (
          <>
            <Button onClick={form.discard}>{form.isOutdated ? 'Show the saved values' : 'Discard'}</Button>
            <span class="unsaved">Not saved</span>
          </>
        )}
      </div>
    </form>
  );
}
