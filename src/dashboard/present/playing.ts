import { batch, computed, signal } from '@preact/signals';
import type { StorySummary, StoryView } from '../../control/world/stories.ts';
import { control, needsToken, RequestError, serverControl } from '../data/http.ts';
import { world } from '../data/world.ts';
import { errorText } from '../ui/format.ts';
import { followOpener, isNotesWindow, show } from './address.ts';

export const stories = signal<readonly StorySummary[] | null>(null);
/** The story that is shown, or null until it is loaded. The server plays it and knows how far it is. */
export const story = signal<StoryView | null>(null);
export const step = computed(() => story.value?.played.length ?? 0);
/** Whether the page shows the end of the story, behind its last step, as long as that is shown. */
export const isEndAsked = signal(false);
export const isAtEnd = computed(() => isEndAsked.value && step.value === story.value?.steps.length);
export const isPlaying = signal(false);
/** Why the story cannot be played on, or null. */
export const problem = signal<string | null>(null);
export const isOffline = signal(false);
/** The run and the step that this page has just played, which alone may open the card page of the step. */
export const playedHere = signal('');

let shown: string | null = null;
/** Settles when the last step that this page asked for has been played. */
let playing: Promise<unknown> = Promise.resolve();
/** Settles when the run of the story that was left last has ended, or continues because it is shown again. */
let ending: Promise<unknown> = Promise.resolve();

/** Shows a story, or none. The run of the one before ends. */
export function openStory(id: string | null): Promise<void> {
  const left = shown;
  shown = id;
  if (left !== null && left !== id && !isNotesWindow) ending = endRun(left);
  batch(() => {
    story.value = null;
    problem.value = null;
  });
  return follow();
}

/**
 * Shows how far the story has been played, which other tabs may have changed. Where the sandbox has no run of it, begins
 * one, up to the step that this tab showed last: the sandbox may have been started again.
 */
export async function follow(): Promise<void> {
  if (isNotesWindow) followOpener();
  await ending;
  if (isPlaying.value || needsToken.value) return;
  const wasOffline = isOffline.value;
  const all = await ask<readonly StorySummary[]>('GET', '/stories');
  if (all === null) return;
  stories.value = all;
  if (shown === null) {
    problem.value = null;
    return;
  }
  const listed = all.find(({ id }) => id === shown);
  // An old link, such as the one of a story that has become several.
  if (listed === undefined) {
    show(null, 'replaceState');
    return;
  }
  const { value } = story;
  const isNew = value?.id !== listed.id;
  if (!isNew && value.run === listed.run && step.value === listed.step) return;
  if (listed.run === null && !isNotesWindow) {
    // Left in another tab: it stays on this screen, and the next key plays it again.
    if (isNew || wasOffline) await play(listed.id, Number(sessionStorage.getItem(memoryOf(listed.id)) ?? 0));
    return;
  }
  const found = await ask<StoryView>('GET', pathOf(listed.id));
  if (found !== null && !isPlaying.value && found.id === shown) display(found);
}

/** Goes to the moment after a step; 0 begins again. Has no effect while a step is being played. */
export async function goToStep(to: number): Promise<void> {
  isEndAsked.value = false;
  const { value } = story;
  if (value === null || isPlaying.value || isOffline.value) return;
  if (to >= 0 && to <= value.steps.length) await play(value.id, to);
}

/**
 * Ends the run of a story, once the step that is being played has ended, unless the story is shown again by then. Other tabs
 * may play other stories.
 */
async function endRun(id: string): Promise<void> {
  await playing;
  const all = await ask<readonly StorySummary[]>('GET', '/stories');
  const run = all?.find(each => each.id === id)?.run ?? null;
  if (run !== null && shown !== id) await serverControl('DELETE', `/worlds/${run}`).catch(() => undefined);
}

/** Opens a story at its beginning, or where its run is. Going back in the browser returns to the step that was shown. */
export function choose(id: string): void {
  sessionStorage.removeItem(memoryOf(id));
  show(id);
}

async function play(id: string, to: number): Promise<void> {
  isPlaying.value = true;
  problem.value = null;
  const reply = ask<StoryView>('POST', `${pathOf(id)}/steps`, { to });
  playing = reply;
  const reached = await reply;
  batch(() => {
    isPlaying.value = false;
    if (reached === null || reached.id !== shown) return;
    playedHere.value = `${reached.run} ${reached.played.length}`;
    display(reached);
  });
}

function display(found: StoryView): void {
  story.value = found;
  sessionStorage.setItem(memoryOf(found.id), String(found.played.length));
}

/** Returns the body of a response, or null when the request failed: the page says why. */
async function ask<T>(method: string, path: string, body?: unknown): Promise<T | null> {
  try {
    const found = await control<T>(method, path, body);
    isOffline.value = false;
    return found;
  } catch (error) {
    isOffline.value = error instanceof RequestError && error.status === null;
    // Where a token is needed, the page asks for it.
    if (!isOffline.value && !needsToken.value) problem.value = hasEnded(error) ? ENDED : errorText(error);
    return null;
  }
}

/** What an audience may read of it. */
const ENDED = 'This world has ended. Present from the dashboard of another one.';

function hasEnded(error: unknown): boolean {
  return error instanceof RequestError && error.status === 404 && error.message.startsWith('no world ');
}

function pathOf(id: string): string {
  return `/stories/${encodeURIComponent(id)}`;
}

function memoryOf(id: string): string {
  return `card-sandbox.present.${world}.${id}`;
}
