import { signal } from '@preact/signals';
import { after, nextTheme } from '../browser.ts';
import { advance, toggleClock } from '../data/clock.ts';
import { openCardholderForm } from '../forms/cardholders.ts';
import { openShareTokenForm } from '../forms/identities.ts';
import { closeInspector, go, route } from '../route.ts';
import { Dialog } from '../ui/dialog.tsx';
import { focusSearch } from '../ui/search.tsx';
import { VIEWS } from '../views.ts';
import { openInspectForm } from './inspector.tsx';

export const isShortcutHelpOpen = signal(false);

/** How long `g` waits for the key of a view. */
const CHORD_MS = 1_500;
let isChord = false;

interface Shortcut {
  readonly label: string;
  readonly run: () => void;
}

/** Shortcuts by key. They apply outside of text fields and change nothing in the sandbox. */
const SHORTCUTS: Readonly<Record<string, Shortcut>> = {
  '?': { label: 'Show these shortcuts', run: openHelp },
  '/': { label: 'Search the page, or the cardholders', run: focusSearch },
  i: { label: 'Inspect a record by its id', run: openInspectForm },
  m: { label: 'Issue a share token', run: openShareTokenForm },
  n: { label: 'Create a cardholder', run: () => void openCardholderForm() },
  t: { label: 'Change the theme', run: nextTheme },
  p: { label: 'Presenter mode', run: () => go('present') },
};

/**
 * Shortcuts that change the sandbox, by the key that is pressed with Shift. Keys have the name of their place on the
 * keyboard: Shift and 1 is another character on each layout.
 */
const CLOCK_SHORTCUTS: Readonly<Record<string, Shortcut>> = {
  Digit1: { label: 'Advance 1 m', run: () => void advance('1m') },
  Digit2: { label: 'Advance 5 m', run: () => void advance('5m') },
  Digit3: { label: 'Advance 30 m', run: () => void advance('30m') },
  Digit4: { label: 'Advance 2 h', run: () => void advance('2h') },
  Digit5: { label: 'Advance 24 h', run: () => void advance('24h') },
  KeyZ: { label: 'Freeze or resume the clock', run: () => void toggleClock() },
};

function openHelp(): void {
  isShortcutHelpOpen.value = true;
}

/** Runs the shortcut of a key, unless the key is meant for a field or a dialog. */
export function onKey(event: KeyboardEvent): void {
  const { target } = event;
  if (event.altKey || document.querySelector('dialog[open]') !== null) return;
  if (event.metaKey || event.ctrlKey) {
    if (event.key.toLowerCase() !== 'k' || event.shiftKey) return;
    event.preventDefault();
    focusSearch();
    return;
  }
  if (!(target instanceof HTMLElement)) return;
  if (event.key === 'Escape') {
    target.blur();
    const { view: opened, id, query, inspected } = route.value;
    if (inspected !== null) closeInspector();
    else if (id !== null && opened !== 'present') go(opened, null, query);
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
    const shortcut = SHORTCUTS[event.key] ?? (event.shiftKey ? CLOCK_SHORTCUTS[event.code] : undefined);
    if (shortcut === undefined) return;
    shortcut.run();
  }
  event.preventDefault();
}

export function ShortcutHelp() {
  return isShortcutHelpOpen.value ? <OpenHelp /> : null;
}

function OpenHelp() {
  const viewKeys = VIEWS.map(({ key, title }) => [`g ${key}`, title] as const);
  const listKeys = [
    ['↓ ↑ or j k', 'Next and previous row'],
    ['Ctrl K', 'Search, from a field too'],
    ['Esc', 'Close what is open'],
  ] as const;
  const otherKeys = Object.entries(SHORTCUTS).map(([key, { label }]) => [key, label] as const);
  const clockKeys = Object.entries(CLOCK_SHORTCUTS).map(
    ([code, { label }]) => [`Shift ${code.replace(/^Digit|^Key/, '')}`, label] as const,
  );
  return (
    <Dialog
      title="Keyboard shortcuts"
      kind="shortcuts"
      onClose={() => {
        isShortcutHelpOpen.value = false;
      }}
    >
      <div class="shortcut-columns">
        <KeyList title="Anywhere" keys={[...otherKeys, ...listKeys]} />
        <KeyList title="Go to" keys={viewKeys} />
        <KeyList title="Clock" keys={clockKeys} />
      </div>
    </Dialog>
  );
}

interface KeyListProps {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, label: string])[];
}

function KeyList({ title, keys }: KeyListProps) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {keys.map(([combination, label]) => (
          <div key={combination}>
            <dt>{combination.split(' ').map(key => (key === 'or' ? ' or ' : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
