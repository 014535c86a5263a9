import { batch, computed, signal } from '@preact/signals';
import { errorMessage } from '../../client/http.ts';
import type { StorySummary, StoryView } from '../../control/world/stories.ts';
import { after } from '../browser.ts';
import { callControl, needsToken } from '../data/http.ts';
import { world } from '../data/world.ts';
import { partnerId } from './address.ts';

/** Between two attempts to reach a sandbox that does not respond. */
const RETRY_MS = 1_000;

/** All stories, or null until they are loaded. */
export const stories = signal<readonly StorySummary[] | null>(null);
/** The story that is shown, or null until it is loaded. The server plays it and knows how far it is. */
export const story = signal<StoryView | null>(null);
/** The number of steps that have been played. */
export const step = computed(() => story.value?.played.length ?? 0);
export const isPlaying = signal(false);
/** Why the story does not go on, or null. */
export const problem = signal<string | null>(null);
export const isOffline = signal(false);
/** The step that was shown before the sandbox lost the story, for example when it was started again; 0 if it did not. */
export const lostStep = signal(0);

let shown = '';
let cancelRetry: (() => void) | null = null;

/** Shows a story, the first one for null, with what has been played of it. */
export async function openStory(id: string | null): Promise<void> {
  const all = stories.value ?? (await ask<readonly StorySummary[]>('GET', '/stories'));
  if (all === null) return;
  stories.value = all;
  shown = id ?? all[0]?.id ?? '';
  batch(() => {
    story.value = null;
    problem.value = null;
  });
  await reload();
}

export async function reload(): Promise<void> {
  const found = await ask<StoryView>('GET', pathOf(shown));
  if (found !== null) show(found);
}

/** Goes to the moment after a step; 0 is the beginning. Has no effect while a step is being played. */
export async function goTo(to: number): Promise<void> {
  const { value } = story;
  if (value === null || value.problem !== null || isPlaying.value || isOffline.value) return;
  if (to < 0 || to > value.steps.length) return;
  isPlaying.value = true;
  problem.value = null;
  const reached = await ask<StoryView>('POST', `${pathOf(value.id)}/steps`, { to, partnerId });
  batch(() => {
    isPlaying.value = false;
    if (reached === null || reached.id !== shown) return;
    story.value = reached;
    lostStep.value = 0;
    remember(reached);
  });
}

/** Plays the next step, or those up to the one that was shown before the sandbox lost the story. */
export function goOn(): Promise<void> {
  return goTo(lostStep.value > 0 ? lostStep.value : step.value + 1);
}

/** Restores the clock and the webhooks of the world. */
export async function leave(): Promise<void> {
  await callControl('DELETE', '/stories').catch(() => undefined);
  for (const { id } of stories.value ?? []) sessionStorage.removeItem(memoryOf(id));
}

function show(found: StoryView): void {
  batch(() => {
    story.value = found;
    const before = Number(sessionStorage.getItem(memoryOf(found.id)) ?? 0);
    lostStep.value = found.played.length === 0 ? Math.min(before, found.steps.length) : 0;
  });
}

function remember({ id, played }: StoryView): void {
  sessionStorage.setItem(memoryOf(id), String(played.length));
}

/** Returns the body of a response, or null when the request failed: the page says why, and retries without a response. */
async function ask<T>(method: string, path: string, body?: unknown): Promise<T | null> {
  try {
    const { status, body: replied } = await callControl(method, path, body);
    if (isOffline.value) isOffline.value = false;
    // The control plane documents the type of each response.
    if (status < 400) return replied as T;
    if (status === 401) needsToken.value = true;
    problem.value = errorMessage(replied) ?? `The sandbox responds with ${status}.`;
  } catch {
    isOffline.value = true;
    cancelRetry?.();
    cancelRetry = after(
      RETRY_MS,
      () => void (stories.value === null ? openStory(shown === '' ? null : shown) : reload()),
    );
  }
  return null;
}

function pathOf(id: string): string {
  return `/stories/${encodeURIComponent(id)}`;
}

function memoryOf(id: string): string {
  return `card-sandbox.present.${world}.${id}`;
}
