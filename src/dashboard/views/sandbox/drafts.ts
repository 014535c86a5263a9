import { computed, effect, signal } from '@preact/signals';

/** What the user entered in a form and did not save. */
interface Draft {
  /** JSON of the saved values when the user began to edit. */
  readonly base: string;
  readonly values: object;
}

/** The drafts by form. They outlast news about what is saved, and the page that shows the form. */
const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

/** Whether any form has values that are not saved. */
export const hasDrafts = computed(() => drafts.value.size > 0);

/** The values of a form: the saved ones, until the user edits them. */
export interface Editing<T> {
  readonly values: T;
  readonly isEdited: boolean;
  /** Whether something else has saved other values since the user began to edit. */
  readonly isOutdated: boolean;
  /** Changes some values. Values that are all as saved are no edit. */
  edit(change: Partial<T>): void;
  /** Goes back to the saved values. */
  discard(): void;
}

/** Returns the values of the form with this name, of which `saved` is what the sandbox has. */
export function editing<T extends object>(name: string, saved: T): Editing<T> {
  const savedText = JSON.stringify(saved);
  const draft = drafts.value.get(name);
  // The form that has the name is the only one that sets its draft.
  const values = draft === undefined ? saved : (draft.values as T);

  function set(changed: Draft | null): void {
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
      set(isAsSaved ? null : { base: draft?.base ?? savedText, values: changed });
    },
    discard: () => set(null),
  };
}

/** Lets the browser ask before it leaves the dashboard. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

effect(() => {
  if (hasDrafts.value) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
});
