import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { after } from '../browser/timers.ts';
import { nextTheme } from '../browser/theme.ts';
import { advance, toggleClock } from '../data/actions.ts';
import { askForCardholder, askForShareToken } from '../forms/cardholders.ts';
import { go, route } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { VIEWS } from '../views.tsx';

/** Whether the list of shortcuts is open. */
export const areKeysShown = signal(false);

const CHORD_MS = 1_500;
let isChord = false;

function show(): void {
  areKeysShown.value = true;
}

/** What one key does, outside of text fields. */
const KEYS: Readonly<Record<string, readonly [does: string, act: () => void]>> = {
  '?': ['Show these shortcuts', show],
  '/': ['Search the list', () => document.querySelector<HTMLInputElement>('[data-search]')?.focus()],
  m: ['Mint a share token', askForShareToken],
  n: ['Create a cardholder', () => askForCardholder()],
  '1': ['Advance 1 m', () => void advance('1m')],
  '2': ['Advance 5 m', () => void advance('5m')],
  '3': ['Advance 30 m', () => void advance('30m')],
  '4': ['Advance 2 h', () => void advance('2h')],
  '5': ['Advance 24 h', () => void advance('24h')],
  z: ['Freeze or resume the clock', () => void toggleClock()],
  t: ['Change colours', nextTheme],
  p: ['Presenter mode', () => go('present')],
};

/** Does what a key stands for, unless it is meant for a field or a dialog. */
export function onKey(event: KeyboardEvent): void {
  const { target } = event;
  if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector('dialog[open]') !== null)
    return;
  if (!(target instanceof HTMLElement)) return;
  if (event.key === 'Escape') {
    target.blur();
    if (route.value.id !== null && route.value.view !== 'present') go(route.value.view);
    return;
  }
  if (target.matches('input, textarea, select') || route.value.view === 'present') return;
  const view = isChord ? VIEWS.find(({ key }) => key === event.key) : undefined;
  isChord = false;
  if (view !== undefined) go(view.name);
  else if (event.key === 'g') {
    isChord = true;
    after(CHORD_MS, () => {
      isChord = false;
    });
    return;
  } else {
    const act = KEYS[event.key]?.[1];
    if (act === undefined) return;
    act();
  }
  event.preventDefault();
}

/** The list of shortcuts. */
export function Keys() {
  return areKeysShown.value ? <OpenKeys /> : null;
}

function OpenKeys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const pages = VIEWS.map(({ key, title }) => [`g ${key}`, title] as const);
  const lists = [
    ['↓ ↑ or j k', 'Next and previous row'],
    ['Esc', 'Close what is open'],
  ] as const;
  // An object puts its number keys first; people read the help first.
  const rest = Object.entries(KEYS)
    .map(([key, [does]]) => [key, does] as const)
    .sort(([a], [b]) => Number(/\d/.test(a)) - Number(/\d/.test(b)));
  return (
    <dialog
      ref={dialog}
      class="dialog keys"
      aria-labelledby="keys-title"
      onClose={() => {
        areKeysShown.value = false;
      }}
    >
      <header>
        <h2 id="keys-title">Keyboard shortcuts</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <div class="keys-columns">
        <KeyList title="Anywhere" of={[...rest, ...lists]} />
        <KeyList title="Go to" of={pages} />
      </div>
    </dialog>
  );
}

function KeyList({
  title,
  of,
}: {
  readonly title: string;
  readonly of: readonly (readonly [string, string])[];
}) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {of.map(([keys, does]) => (
          <div key={keys}>
            <dt>{keys.split(' ').map(key => (key === 'or' ? ' or ' : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
