import { signal } from '@preact/signals';
import { after, nextTheme } from '../browser.ts';
import { linkToNotes, openDashboard, presented, show } from './address.ts';
import { choose, goToStep, isAtEnd, isEndAsked, step, stories, story } from './playing.ts';
import { openStepList } from './story-list.tsx';

/** Whether the screen is blank, so that the audience looks at the presenter. */
export const isBlank = signal(false);
/** Whether the step shows everything that was sent, instead of the members that it is about. */
export const isDetailed = signal(false);
/** The digits of a step to go to, until Enter. */
export const typedStep = signal('');
/** Says that there is no step or story with the number that was typed last, until the next key. */
export const unknownNumber = signal<string | null>(null);
/** Whether `r` was pressed once: pressed again, it begins the story again. */
export const isArmed = signal(false);

export const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['→', 'Space', 'Page down'], 'next step'],
  [['←', 'Page up'], 'back'],
  [['d'], 'all details, with curl'],
  [['12', 'Enter'], 'go to step 12'],
  [['g'], 'list of steps'],
  [['r', 'r'], 'begin again'],
  [['b', '.'], 'blank screen'],
  [['n'], 'notes, in a window'],
  [['t'], 'theme'],
  [['Esc'], 'list of stories'],
];

const NEXT = ['ArrowRight', 'ArrowDown', 'PageDown', ' ', 'Enter'];
const BACK = ['ArrowLeft', 'ArrowUp', 'PageUp', 'Backspace'];
const SCROLL = ['ArrowDown', 'ArrowUp'];

/** How long the list waits for another digit of the number of a story. */
const DIGIT_MS = 700;

export function goOn(): void {
  const { value } = story;
  if (isAtEnd.value) choose(nextStory()?.id ?? '');
  else if (value !== null && step.value === value.steps.length) isEndAsked.value = true;
  else void goToStep(step.value + 1);
}

export function goBack(): void {
  if (isAtEnd.value) isEndAsked.value = false;
  else void goToStep(step.value - 1);
}

/** Leaves the story for the list, and the list for the dashboard. */
export function quit(): void {
  if (presented.value?.story === null) openDashboard();
  else show(null);
}

/** The story after the one that is shown, and after the last one the first. */
export function nextStory() {
  const all = stories.value ?? [];
  const index = all.findIndex(({ id }) => id === story.value?.id);
  return all[(index + 1) % all.length];
}

export function toggleDetails(): void {
  isDetailed.value = !isDetailed.value;
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

/** Forgets the keys that wait for another one. */
export function forgetKeys(): void {
  typedStep.value = '';
  isArmed.value = false;
  unknownNumber.value = null;
}

function act(key: string): boolean {
  const typed = typedStep.value;
  const wasArmed = isArmed.value;
  forgetKeys();
  if (/^\d$/.test(key)) typedStep.value = (typed + key).slice(-3);
  else if (key === 'Enter' && typed !== '') goToTyped(Number(typed));
  else if (NEXT.includes(key)) goOn();
  else if (BACK.includes(key)) goBack();
  else if (key === 'Escape') quit();
  else if (key === 'r') {
    // It would lose the place, so a stray key does not suffice.
    if (wasArmed) void goToStep(0);
    else isArmed.value = step.value > 0;
  } else if (key === 'd') toggleDetails();
  else if (key === 'g') openStepList();
  else if (key === 'b' || key === '.') isBlank.value = true;
  else if (key === 'n') openNotes();
  else if (key === 't') nextTheme();
  else return false;
  return true;
}

function goToTyped(number: number): void {
  const last = story.value?.steps.length ?? 0;
  if (number <= last) void goToStep(number);
  else unknownNumber.value = `There is no step ${number}. The last one is ${last}.`;
}

/** Acts on a key on the list of stories. The number of a story opens it. */
function actOnList(key: string): boolean {
  const typed = typedStep.value;
  forgetKeys();
  const all = stories.value ?? [];
  if (/^\d$/.test(key)) {
    const number = typed + key;
    typedStep.value = number;
    // Another digit may follow only where there are that many stories.
    const isComplete = Number(number) * 10 > all.length;
    after(isComplete ? 0 : DIGIT_MS, () => typedStep.value === number && openNumber(number));
  } else if (key === 'Enter' && typed !== '') openNumber(typed);
  else if (key === 'Escape') quit();
  else if (key === 't') nextTheme();
  else return false;
  return true;
}

function openNumber(number: string): void {
  typedStep.value = '';
  const all = stories.value ?? [];
  const chosen = all[Number(number) - 1];
  if (chosen !== undefined) choose(chosen.id);
  else unknownNumber.value = `There is no story ${Number(number)}. The last one is ${all.length}.`;
}
