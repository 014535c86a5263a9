import { useEffect, useRef } from 'preact/hooks';
import { go } from '../route.ts';
import { Icon } from './icons.tsx';

/** Whether the next search field that is shown takes the focus. */
let isAwaited = false;

/** Moves the focus to the search of the page. A page without one gives way to the cardholders. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('[data-search]');
  if (field !== null) {
    field.focus();
    field.select();
    return;
  }
  isAwaited = true;
  go('cardholders');
}

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

export function Search({ label, value, onInput }: SearchProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAwaited) input.current?.focus();
    isAwaited = false;
  }, []);
  return (
    <label class="search">
      <Icon name="search" />
      <input
        ref={input}
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
