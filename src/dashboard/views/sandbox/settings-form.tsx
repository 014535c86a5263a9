import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Editing } from './drafts.ts';

interface SettingsFormProps<T> {
  readonly form: Editing<T>;
  /** What is saved, such as `Settings`. */
  readonly noun: string;
  readonly save: (values: T) => Promise<unknown>;
  readonly children: ComponentChildren;
}

/** A form on the page of settings, with its buttons and what keeps its values from being saved. */
export function SettingsForm<T>({ form, noun, save, children }: SettingsFormProps<T>) {
  const problem = useSignal<string | null>(null);

  async function submit(event: Event) {
    event.preventDefault();
    problem.value = null;
    try {
      await save(form.values);
      form.discard();
      toast('good', `${noun} saved`);
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  }

  return (
    <form class="settings-form" onSubmit={submit}>
      {children}
      {problem.value !== null && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
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
