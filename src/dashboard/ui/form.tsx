import { useSignal } from '@preact/signals';
import { Button } from './button.tsx';
import { openDialog } from './dialog.tsx';
import { errorText } from './format.ts';

/** The texts in the fields that have been changed. */
export type Values = Readonly<Record<string, string>>;

/** What the fields have as members of a request: texts, numbers and lists. An empty one is undefined. */
export type Input = Readonly<Record<string, unknown>>;

export interface Form {
  readonly title: string;
  readonly intro?: string;
  readonly submit: string;
  readonly isDangerous?: boolean;
  /** Returns the fields, which may depend on the values of other fields. */
  readonly fields?: (values: Values) => readonly Field[];
  /** Runs the action. When it rejects, the form stays open and shows the error message. */
  readonly run: (input: Input) => Promise<unknown>;
}

export interface Field {
  readonly name: string;
  readonly label: string;
  /** Default: `text`. `lines` is a list. */
  readonly kind?: 'text' | 'number' | 'email' | 'choice' | 'checks' | 'area' | 'lines';
  /** For `checks`, the chosen values with commas between them. */
  readonly initial?: string;
  readonly choices?: readonly (readonly [value: string, label: string])[];
  readonly hint?: string;
  readonly isOptional?: boolean;
}

export function openForm(form: Form): void {
  openDialog({ title: form.title, Content: ({ close }) => <FormContent form={form} close={close} /> });
}

function FormContent({ form, close }: { readonly form: Form; readonly close: () => void }) {
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

  async function submit(event: Event) {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = null;
    try {
      await form.run(Object.fromEntries(fields.map(field => [field.name, memberOf(field, textIn(field))])));
      close();
    } catch (error) {
      problem.value = errorText(error);
    }
    isBusy.value = false;
  }

  return (
    <form onSubmit={submit} onKeyDown={onKeyDown}>
      {form.intro !== undefined && <p class="note">{form.intro}</p>}
      <div class="fields">
        {fields.map(field => (
          <FieldInput
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
        <Button onClick={close}>Cancel</Button>
        <Button
          type="submit"
          kind={form.isDangerous ? 'danger' : 'primary'}
          aria-busy={isBusy.value || undefined}
        >
          {form.submit}
        </Button>
      </footer>
    </form>
  );
}

/** Throws for a number with three or more decimals, which the API refuses by its text: parsed, it may be rounded. */
function memberOf({ kind, label }: Field, text: string): unknown {
  if (kind === 'lines' || kind === 'checks') return text.split(/[\n,]/).flatMap(each => each.trim() || []);
  if (text === '') return undefined;
  if (kind !== 'number') return text;
  if (/\.\d{3}/.test(text)) throw new Error(`${label}: must have at most two decimals, such as 24.90.`);
  return Number(text);
}

interface InputProps {
  readonly field: Field;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function FieldInput({ field, value, onInput }: InputProps) {
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
      ) : kind === 'area' || kind === 'lines' ? (
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

function Checks({ field: { label, choices = [] }, value, onInput }: InputProps) {
  const all = choices.map(([each]) => each);
  const chosen = value.split(',').filter(each => all.includes(each));
  const isAll = chosen.length === all.length;
  const toggle = (each: string) =>
    onInput(all.filter(other => chosen.includes(other) !== (other === each)).join(','));
  return (
    <fieldset class="checks">
      <legend>{label}</legend>
      <Button kind="small" onClick={() => onInput(isAll ? '' : all.join(','))}>
        {isAll ? 'Select none' : 'Select all'}
      </Button>
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
