import { useSignal } from '@preact/signals';
import { Copy } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icons.tsx';

interface SecretInputProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A field for a secret, masked until the user shows it. It can be copied while it is masked. */
export function SecretInput({ name, label, hint, value, onInput }: SecretInputProps) {
  const isShown = useSignal(false);
  return (
    <div class="field">
      <label for={`field-${name}`}>
        {label} <span class="optional">optional</span>
      </label>
      <div class="secret-input">
        <input
          id={`field-${name}`}
          name={name}
          value={value}
          // The attribute types depend on the type. Both types take the attributes used here.
          type={(isShown.value ? 'text' : 'password') as 'text'}
          // Browsers fill in saved passwords unless the password is new.
          autocomplete="new-password"
          spellcheck={false}
          aria-describedby={`hint-${name}`}
          onInput={event => onInput(event.currentTarget.value)}
        />
        <button
          type="button"
          class="icon-button"
          aria-label={`${isShown.value ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
          aria-pressed={isShown.value}
          onClick={() => {
            isShown.value = !isShown.value;
          }}
        >
          <Icon name="eye" />
        </button>
        <Copy text={value} title={`Copy ${label.toLowerCase()}`} />
      </div>
      <p class="hint" id={`hint-${name}`}>
        {hint}
      </p>
    </div>
  );
}
