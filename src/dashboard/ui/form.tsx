import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';

/** What the fields of a form hold, by name. */
export type Values = Readonly<Record<string, string>>;

/** One field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Default: `text`. */
  readonly kind?: 'text' | 'number' | 'email' | 'choice' | 'area';
  readonly initial?: string;
  readonly choices?: readonly (readonly [value: string, label: string])[];
  readonly hint?: string;
  /** May be left empty. */
  readonly isOptional?: boolean;
}

/** A question to the reader: what is about to be done, and what has to be known for it. */
export interface Form {
  readonly title: string;
  readonly intro?: string;
  readonly submit: string;
  readonly isDangerous?: boolean;
  /** The fields, which may depend on what the others hold. */
  readonly fields?: (values: Values) => readonly Field[];
  /** Does it. What it throws is shown in the form, which stays open. */
  readonly run: (values: Values) => Promise<unknown>;
}

const open = signal<Form | null>(null);

/** Asks the reader, in a dialog over the page. */
export function ask(form: Form): void {
  open.value = form;
}

/** Where forms open. */
export function FormDialog() {
  const form = open.value;
  return form === null ? null : <OpenForm key={form.title} form={form} />;
}

function OpenForm({ form }: { readonly form: Form }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const given = useSignal<Values>({});
  const problem = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const fields = form.fields?.(given.value) ?? [];
  const textIn = ({ name, initial = '', choices }: Field) =>
    given.value[name] ?? (initial === '' ? (choices?.[0]?.[0] ?? '') : initial);

  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('.field input, .field select')?.focus();
  }, []);

  async function submit(event: Event) {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = null;
    try {
      await form.run(Object.fromEntries(fields.map(field => [field.name, textIn(field)])));
      // One form may have opened the next.
      if (open.value === form) open.value = null;
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
    isBusy.value = false;
  }

  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="form-title"
      onClose={() => {
        open.value = null;
      }}
    >
      <form onSubmit={submit}>
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
                given.value = { ...given.value, [field.name]: value };
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

interface InputProps {
  readonly field: Field;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A labelled field with its hint. */
export function Input({ field, value, onInput }: InputProps) {
  const { name, label, kind = 'text', hint, isOptional = false } = field;
  const common = { id: `field-${name}`, name, value, required: !isOptional };
  const described = hint === undefined ? {} : { 'aria-describedby': `hint-${name}` };
  const listen = (event: { readonly currentTarget: { readonly value: string } }) =>
    onInput(event.currentTarget.value);
  return (
    <div class="field">
      <label for={common.id}>
        {label} {isOptional && <span class="optional">optional</span>}
      </label>
      {kind === 'choice' ? (
        <select {...common} {...described} onChange={listen}>
          {field.choices?.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      ) : kind === 'area' ? (
        <textarea {...common} {...described} rows={5} spellcheck={false} onInput={listen} />
      ) : (
        <input
          {...common}
          {...described}
          // The types want to know which one it is; all three take the same attributes here.
          type={kind as 'text'}
          step="any"
          autocomplete="off"
          onInput={listen}
        />
      )}
      {hint !== undefined && (
        <p class="hint" id={`hint-${name}`}>
          {hint}
        </p>
      )}
    </div>
  );
}
