import { Icon } from './icons.tsx';

/** Moves the focus to the search of the page, if it has one. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('[data-search]');
  field?.focus();
  field?.select();
}

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

export function Search({ label, value, onInput }: SearchProps) {
  return (
    <label class="search">
      <Icon name="search" />
      <input
        type="search"
        data-search
        placeholder={label}
        aria-label={label}
        aria-keyshortcuts="/ Control+K"
        value={value}
        onInput={event => onInput(event.currentTarget.value)}
      />
      <kbd>/</kbd>
    </label>
  );
}
