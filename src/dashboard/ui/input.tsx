/** A field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Default: `text`. */
  readonly kind?: 'text' | 'number' | 'email' | 'choice' | 'area';
  readonly initial?: string;
  readonly choices?: readonly (readonly [value: string, label: string])[];
  /** Values that a text field offers, each with what it is. */
  readonly suggestions?: readonly (readonly [value: string, label: string])[];
  readonly hint?: string;
  /** May be left empty. */
  readonly isOptional?: boolean;
}

interface InputProps {
  readonly field: Field;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A labelled input with its hint. */
export function Input({ field, value, onInput }: InputProps) {
  const { name, label, kind = 'text', suggestions, hint, isOptional = false } = field;
  const common = { id: `field-${name}`, name, value, required: !isOptional };
  const described = hint === undefined ? {} : { 'aria-describedby': `hint-${name}` };
  const onChange = (event: { readonly currentTarget: { readonly value: string } }) =>
    onInput(event.currentTarget.value);
  return (
    <div class="field">
      <label for={common.id}>
        {label} {isOptional && <span class="optional">optional</span>}
      </label>
      {kind === 'choice' ? (
        <select {...common} {...described} onChange={onChange}>
          {field.choices?.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      ) : kind === 'area' ? (
        <textarea {...common} {...described} rows={5} spellcheck={false} onInput={onChange} />
      ) : (
        <input
          {...common}
          {...described}
          // The attribute types depend on the kind. All three kinds take the attributes used here.
          type={kind as 'text'}
          step="any"
          autocomplete="off"
          {...(suggestions === undefined ? {} : { list: `list-${name}` })}
          onInput={onChange}
        />
      )}
      {suggestions !== undefined && (
        <datalist id={`list-${name}`}>
          {suggestions.map(([suggestion, text]) => (
            <option key={`${suggestion} ${text}`} value={suggestion}>
              {text}
            </option>
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <p class="hint" id={`hint-${name}`}>
          {hint}
        </p>
      )}
    </div>
  );
}
