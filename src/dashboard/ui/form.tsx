import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { type Field, Input } from './input.tsx';

/** The texts in the fields of a form, by name. */
export type Values = Readonly<Record<string, string>>;

/** A dialog that asks for the input of an action. */
export interface Form {
  readonly title: string;
  readonly intro?: string;
  /** Label of the button that runs the action. */
  readonly submit: string;
  readonly isDangerous?: boolean;
  /** Returns the fields, which may depend on the values of other fields. */
  readonly fields?: (values: Values) => readonly Field[];
  /** Runs the action. When it rejects, the form stays open and shows the error message. */
  readonly run: (values: Values) => Promise<unknown>;
}

const current = signal<Form | null>(null);

/** Opens a form in a dialog. */
export function openForm(form: Form): void {
  current.value = form;
}

/** The open form, if there is one. */
export function FormDialog() {
  const form = current.value;
  return form === null ? null : <OpenForm key={form.title} form={form} />;
}

function OpenForm({ form }: { readonly form: Form }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const values = useSignal<Values>({});
  const problem = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const fields = form.fields?.(values.value) ?? [];
  const textIn = ({ name, initial = '', choices }: Field) =>
    values.value[name] ?? (initial === '' ? (choices?.[0]?.[0] ?? '') : initial);

  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('.field input, .field select')?.focus();
    // What was made takes the focus from here, if the form made something.
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);

  /** Enter submits from a choice too, as from a text. An open list of choices takes the key itself. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLSelectElement)) return;
    event.preventDefault();
    event.target.form?.requestSubmit();
  }

  /** Closes this form, but not one that was opened after it. */
  function closeForm() {
    if (current.value === form) current.value = null;
  }

  async function submit(event: Event) {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = null;
    try {
      await form.run(Object.fromEntries(fields.map(field => [field.name, textIn(field)])));
      closeForm();
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
    isBusy.value = false;
  }

  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="form-title" onClose={closeForm}>
      <form onSubmit={submit} onKeyDown={onKeyDown}>
        <header>
          <h2 id="form-title">{form.title}</h2>
          <button
            type="button"
            class="icon-button"
            aria-label="Close"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {form.intro !== undefined && <p class="note">{form.intro}</p>}
        <div class="fields">
          {fields.map(field => (
            <Input
              key={field.name}
              field={field}
              value={textIn(field)}
              onInput={value => {
                values.value = { ...values.value, [field.name]: value };
              }}
            />
          ))}
        </div>
        {problem.value !== null && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <footer>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button
            type="submit"
            class={`button ${form.isDangerous === true ? 'danger' : 'primary'}`}
            disabled={isBusy.value}
          >
            {form.submit}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
