import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { errorText } from './format.ts';

export type Values = Readonly<Record<string, string>>;

/** A dialog that asks for the input of an action. */
export interface Form {
  readonly title: string;
  readonly intro?: string;
  readonly submit: string;
  readonly isDangerous?: boolean;
  /** Returns the fields, which may depend on the values of other fields. */
  readonly fields?: (values: Values) => readonly Field[];
  /** Runs the action. When it rejects, the form stays open and shows the error message. */
  readonly run: (values: Values) => Promise<unknown>;
}

export interface Field {
  readonly name: string;
  readonly label: string;
  /** Default: `text`. */
  readonly kind?: 'text' | 'number' | 'email' | 'choice' | 'checks' | 'area';
  /** For `checks`, the chosen values with commas between them. */
  readonly initial?: string;
  readonly choices?: readonly (readonly [value: string, label: string])[];
  readonly hint?: string;
  readonly isOptional?: boolean;
}

const current = signal<Form | null>(null);

export function openForm(form: Form): void {
  current.value = form;
}

export function FormDialog() {
  const form = current.value;
  return form === null ? null : <OpenForm key={form.title} form={form} />;
}

function OpenForm({ form }: { readonly form: Form }) {
  const values = useSignal<Values>({});
  const problem = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const fields = form.fields?.(values.value) ?? [];
  const textIn = ({ name, kind, initial = '', choices }: Field) =>
    values.value[name] ?? (initial === '' && kind === 'choice' ? (choices?.[0]?.[0] ?? '') : initial);

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

  // A link in the form leads elsewhere.
  useEffect(() => {
    addEventListener('hashchange', closeForm);
    return () => removeEventListener('hashchange', closeForm);
  }, [form]);

  async function submit(event: Event) {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = null;
    try {
      await form.run(Object.fromEntries(fields.map(field => [field.name, textIn(field)])));
      closeForm();
    } catch (error) {
      problem.value = errorText(error);
    }
    isBusy.value = false;
  }

  return (
    <Dialog title={form.title} onClose={closeForm}>
      <form onSubmit={submit} onKeyDown={onKeyDown}>
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
        <Problem text={problem.value} />
        <footer>
          <button type="button" class="button" onClick={closeForm}>
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
    </Dialog>
  );
}

/** Why a form was not accepted; nothing for null. */
export function Problem({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

interface InputProps {
  readonly field: Field;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

export function Input({ field, value, onInput }: InputProps) {
  const { name, label, kind = 'text', hint, isOptional = false } = field;
  if (kind === 'checks') return <Checks field={field} value={value} onInput={onInput} />;
  const common = {
    id: `field-${name}`,
    name,
    value,
    required: !isOptional,
    ...(hint === undefined ? {} : { 'aria-describedby': `hint-${name}` }),
  };
  const onChange = (event: { readonly currentTarget: { readonly value: string } }) =>
    onInput(event.currentTarget.value);
  return (
    <div class="field">
      <label for={common.id}>
        {label} {isOptional && <span class="optional">optional</span>}
      </label>
      {kind === 'choice' ? (
        <select {...common} onChange={onChange}>
          <Options of={field.choices ?? []} />
        </select>
      ) : kind === 'area' ? (
        <textarea {...common} rows={5} spellcheck={false} onInput={onChange} />
      ) : (
        <input
          {...common}
          // The attribute types depend on the kind. All three kinds take the attributes used here.
          type={kind as 'text'}
          step="any"
          autocomplete="off"
          onInput={onChange}
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

/** Choices of which any number can be chosen. */
function Checks({ field: { label, choices = [] }, value, onInput }: InputProps) {
  const all = choices.map(([each]) => each);
  const chosen = value.split(',').filter(each => all.includes(each));
  const isAll = chosen.length === all.length;
  const toggle = (each: string) =>
    onInput(all.filter(other => chosen.includes(other) !== (other === each)).join(','));
  return (
    <fieldset class="checks">
      <legend>{label}</legend>
      <button type="button" class="button small" onClick={() => onInput(isAll ? '' : all.join(','))}>
        {isAll ? 'Select none' : 'Select all'}
      </button>
      {choices.map(([each, text]) => (
        <label key={each}>
          <input type="checkbox" checked={chosen.includes(each)} onChange={() => toggle(each)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

export function Options({ of }: { readonly of: readonly (readonly [value: string, label: string])[] }) {
  return (
    <>
      {of.map(([value, label]) => (
        <option key={`${value} ${label}`} value={value}>
          {label}
        </option>
      ))}
    </>
  );
}
