import { signal } from '@preact/signals';
import { nextTheme } from '../browser.ts';
import { linkToNotes, openDashboard, presented, show } from './address.ts';
import { goTo, leave, step, stories, story } from './playing.ts';

/** Whether the screen is blank, so that the audience looks at the presenter. */
export const isBlank = signal(false);
export const isListOpen = signal(false);
/** Whether the step shows everything that was sent, instead of the members that it is about. */
export const isDetailed = signal(false);
/** The digits of a step to go to, until Enter. */
export const typedStep = signal('');
/** The key that was pressed once and acts when it is pressed again; null for none. */
export const armedKey = signal<'r' | 'Escape' | null>(null);

export const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['→', 'Space', 'Page down'], 'next step'],
  [['←', 'Page up'], 'back'],
  [['d'], 'all details, with curl'],
  [['12', 'Enter'], 'go to step 12'],
  [['g'], 'stories and steps'],
  [['r', 'r'], 'begin again'],
  [['b', '.'], 'blank screen'],
  [['f'], 'full screen'],
  [['n'], 'notes, in a window'],
  [['t'], 'theme'],
  [['Esc', 'Esc'], 'leave'],
];

const NEXT = ['ArrowRight', 'ArrowDown', 'PageDown', ' ', 'Enter'];
const BACK = ['ArrowLeft', 'ArrowUp', 'PageUp', 'Backspace'];
const SCROLL = ['ArrowDown', 'ArrowUp'];

export function goOn(): void {
  void goTo(step.value + 1);
}

export function goBack(): void {
  void goTo(step.value - 1);
}

export function restart(): void {
  void goTo(0);
}

export async function quit(): Promise<void> {
  if (presented.value?.story !== null) await leave();
  openDashboard();
}

export function toggleDetails(): void {
  isDetailed.value = !isDetailed.value;
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
  const { value } = story;
  if (value !== null) window.open(linkToNotes(value.id), 'card-sandbox-notes', 'width=720,height=560');
}

/** Acts on a key. Keys that have no meaning change nothing. */
export function onPresenterKey(event: KeyboardEvent): void {
  const { key, target } = event;
  if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector('dialog[open]') !== null)
    return;
  if (isBlank.value) {
    isBlank.value = false;
    event.preventDefault();
    return;
  }
  if (target instanceof HTMLElement) {
    const isOnControl = target.matches('a, button');
    if (isOnControl && (key === ' ' || (key === 'Enter' && typedStep.value === ''))) return;
    if (SCROLL.includes(key) && target.scrollHeight > target.clientHeight + 1) return;
  }
  if (event.repeat && key === 'Tab') return;
  // A key that is held down does not run through the story.
  const isKnown = event.repeat || (presented.value?.story === null ? actOnList(key) : act(key));
  if (isKnown) event.preventDefault();
}

function act(key: string): boolean {
  const typed = typedStep.value;
  const armed = armedKey.value;
  typedStep.value = '';
  armedKey.value = null;
  if (/^\d$/.test(key)) typedStep.value = (typed + key).slice(-3);
  else if (key === 'Enter' && typed !== '') void goTo(Number(typed));
  else if (NEXT.includes(key)) goOn();
  else if (BACK.includes(key)) goBack();
  else if (key === 'r' || key === 'Escape') {
    // Both would lose the place, so a stray key does not suffice.
    if (armed === key) void (key === 'r' ? restart() : quit());
    else if (key === 'Escape' || step.value > 0) armedKey.value = key;
  } else if (key === 'd') toggleDetails();
  else if (key === 'g') isListOpen.value = true;
  else if (key === 'b' || key === '.') isBlank.value = true;
  else if (key === 'n') openNotes();
  else return actAnywhere(key);
  return true;
}

/** Acts on a key on the list of stories. The number of a story opens it. */
function actOnList(key: string): boolean {
  const typed = typedStep.value;
  typedStep.value = '';
  const all = stories.value ?? [];
  if (/^\d$/.test(key)) {
    const number = typed + key;
    // More digits may follow only where there are that many stories.
    if (Number(number) * 10 <= all.length) typedStep.value = number;
    else openNumber(number);
  } else if (key === 'Enter' && typed !== '') openNumber(typed);
  else if (key === 'Escape') void quit();
  else return actAnywhere(key);
  return true;
}

function openNumber(number: string): void {
  const chosen = stories.value?.[Number(number) - 1];
  if (chosen !== undefined) show(chosen.id);
}

function actAnywhere(key: string): boolean {
  if (key === 'f') toggleFullScreen();
  else if (key === 't') nextTheme();
  else return false;
  return true;
}
