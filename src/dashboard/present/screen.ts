import { signal } from '@preact/signals';
import { nextTheme } from '../browser.ts';
import { linkToNotes, openDashboard } from './address.ts';
import { goOn, goTo, leave, step, story } from './playing.ts';

/** Whether the screen is blank, so that the audience looks at the presenter. */
export const isBlank = signal(false);
export const isListOpen = signal(false);
/** The digits of a step to go to, until Enter. */
export const typedStep = signal('');
/** The key that was pressed once and acts when it is pressed again; null for none. */
export const armedKey = signal<'r' | 'Escape' | null>(null);

export const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['→', 'Space', 'Page down'], 'next step'],
  [['←', 'Page up'], 'back'],
  [['12', 'Enter'], 'go to step 12'],
  [['g'], 'stories and steps'],
  [['r', 'r'], 'start again'],
  [['b', '.'], 'blank screen'],
  [['f'], 'full screen'],
  [['n'], 'notes, in a window'],
  [['t'], 'theme'],
  [['Esc', 'Esc'], 'leave'],
];

const NEXT = ['ArrowRight', 'ArrowDown', 'PageDown', ' ', 'Enter'];
const BACK = ['ArrowLeft', 'ArrowUp', 'PageUp', 'Backspace'];

export function goBack(): void {
  void goTo(step.value - 1);
}

export function restart(): void {
  void goTo(0);
}

export async function quit(): Promise<void> {
  await leave();
  openDashboard();
}

export function toggleFullScreen(): void {
  // A browser may refuse; the presenter works in a window as well.
  const done =
    document.fullscreenElement === null
      ? document.documentElement.requestFullscreen()
      : document.exitFullscreen();
  void done.catch(() => undefined);
}

export function openNotes(): void {
  if (story.value !== null) open(linkToNotes(story.value.id), 'card-sandbox-notes', 'width=760,height=560');
}

/** Acts on a key. Keys that have no meaning change nothing. */
export function onPresenterKey(event: KeyboardEvent): void {
  if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector('dialog[open]') !== null)
    return;
  if (isBlank.value) {
    isBlank.value = false;
    event.preventDefault();
    return;
  }
  const isOnControl = event.target instanceof HTMLElement && event.target.matches('a, button');
  if (isOnControl && (event.key === ' ' || (event.key === 'Enter' && typedStep.value === ''))) return;
  // A key that is held down does not run through the story.
  if (event.repeat || act(event.key)) event.preventDefault();
}

function act(key: string): boolean {
  const typed = typedStep.value;
  const armed = armedKey.value;
  typedStep.value = '';
  armedKey.value = null;
  if (/^\d$/.test(key)) typedStep.value = (typed + key).slice(-3);
  else if (key === 'Enter' && typed !== '') void goTo(Number(typed));
  else if (NEXT.includes(key)) void goOn();
  else if (BACK.includes(key)) goBack();
  else if (key === 'r' || key === 'Escape') {
    // Both would lose the place, so a stray key does not suffice.
    if (armed === key) void (key === 'r' ? restart() : quit());
    else if (key === 'Escape' || step.value > 0) armedKey.value = key;
  } else if (key === 'g') isListOpen.value = true;
  else if (key === 'b' || key === '.') isBlank.value = true;
  else if (key === 'f') toggleFullScreen();
  else if (key === 'n') openNotes();
  else if (key === 't') nextTheme();
  else return false;
  return true;
}
