import { computed } from '@preact/signals';
import { after, nextTheme } from '../browser.ts';
import { advance, advanceSteps, toggleClock } from '../data/clock.ts';
import { info } from '../data/store.ts';
import { openCardholderForm } from '../forms/cardholders.ts';
import { openShareTokenForm } from '../forms/identities.ts';
import { openPresenter } from '../present/address.ts';
import { go, route } from '../route.ts';
import { openDialog } from '../ui/dialog.tsx';
import { duration } from '../ui/format.ts';
import { VIEWS } from '../views.ts';
import { openRecordForm } from './open-by-id.ts';

/** How long `g` waits for the key of a view. */
const CHORD_MS = 1_500;
let isChord = false;
let forgetChord = () => {};

interface Shortcut {
  readonly label: string;
  readonly run: () => void;
}

/** Shortcuts by key. They apply outside of text fields and change nothing in the sandbox. A recording plays no stories. */
const shortcuts = computed<Readonly<Record<string, Shortcut>>>(() => ({
  '?': { label: 'Show these shortcuts', run: openHelp },
  '/': { label: 'Search the page', run: focusSearch },
  i: { label: 'Open a record by its id', run: openRecordForm },
  m: { label: 'Issue a share token', run: openShareTokenForm },
  n: { label: 'Create a cardholder', run: () => void openCardholderForm() },
  t: { label: 'Change the theme', run: nextTheme },
  ...(info.data.value?.recording == null && { p: { label: 'Presenter mode', run: openPresenter } }),
}));

/**
 * The shortcuts of the clock, by the key that is pressed with Shift: a digit for each button, in their order. A digit has the
 * name of its place on the keyboard: Shift and 1 is another character on each layout.
 */
const clockShortcuts = computed<Readonly<Record<string, Shortcut>>>(() => ({
  ...Object.fromEntries(
    advanceSteps.value.map((ms, index) => [
      `Digit${index + 1}`,
      { label: `Advance ${duration(ms)}`, run: () => void advance(`${ms}ms`, duration(ms)) },
    ]),
  ),
  Z: { label: 'Freeze or resume the clock', run: () => void toggleClock() },
}));

/** Caps Lock makes the letter a small one. */
function clockShortcut({ key, code }: KeyboardEvent): Shortcut | undefined {
  return clockShortcuts.value[code] ?? clockShortcuts.value[key.toUpperCase()];
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('[data-search]');
  field?.focus();
  field?.select();
}

export function openHelp(): void {
  openDialog({ title: 'Keyboard shortcuts', kind: 'shortcuts', Content: ShortcutHelp });
}

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
    const { view: opened, id, query } = route.value;
    if (id !== null) go(opened, null, query);
    return;
  }
  if (target.matches('input, textarea, select')) return;
  const view = isChord ? VIEWS.find(({ key }) => key === event.key) : undefined;
  isChord = false;
  if (view !== undefined) go(view.name);
  else if (event.key === 'g') {
    isChord = true;
    // The time of an earlier one does not end this one.
    forgetChord();
    forgetChord = after(CHORD_MS, () => {
      isChord = false;
    });
    return;
  } else {
    const shortcut = shortcuts.value[event.key] ?? (event.shiftKey ? clockShortcut(event) : undefined);
    if (shortcut === undefined) return;
    shortcut.run();
  }
  event.preventDefault();
}

function ShortcutHelp() {
  const viewKeys = VIEWS.flatMap(({ key, title }) =>
    key === undefined ? [] : [[`g ${key}`, title] as const],
  );
  const listKeys = [
    ['↓ ↑ or j k', 'Next and previous row'],
    ['Enter', 'Go to the open record'],
    ['Ctrl K', 'Search, from a field too'],
    ['Esc', 'Close what is open'],
  ] as const;
  const otherKeys = Object.entries(shortcuts.value).map(([key, { label }]) => [key, label] as const);
  const clockKeys = Object.entries(clockShortcuts.value).map(
    ([code, { label }]) => [`Shift ${code.replace('Digit', '')}`, label] as const,
  );
  return (
    <div class="shortcut-columns">
      <KeyList title="Anywhere" keys={[...otherKeys, ...listKeys]} />
      <KeyList title="Go to" keys={viewKeys} />
      <KeyList title="Clock" keys={clockKeys} />
    </div>
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
