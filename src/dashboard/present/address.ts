import { signal } from '@preact/signals';
import { isMain, world } from '../data/world.ts';

const HOME = isMain ? '/dashboard' : `/dashboard/${encodeURIComponent(world)}`;

/** What the presenter shows: a story by its id, or null for the first one. */
export interface Presented {
  readonly story: string | null;
}

/** What the page presents, by its address `/dashboard/present/{story}`; null when it shows the dashboard. */
export const presented = signal(inAddress());
addEventListener('popstate', () => {
  presented.value = inAddress();
});

/** Whether the page is the window with the speaker notes. */
export const isNotesWindow = new URLSearchParams(location.search).has('notes');

/** The id of the partner in the address, which plays the stories. */
export const partnerId = new URLSearchParams(location.search).get('partner') ?? undefined;

function inAddress(): Presented | null {
  const [found, , story] = /\/present(\/([^/]+))?\/?$/.exec(location.pathname) ?? [];
  return found === undefined ? null : { story: story === undefined ? null : decodeURIComponent(story) };
}

export function linkToStory(story: string): string {
  return `${HOME}/present/${encodeURIComponent(story)}${partnerQuery()}`;
}

export function linkToNotes(story: string): string {
  return `${linkToStory(story)}${partnerQuery() === '' ? '?' : '&'}notes`;
}

/** Does not load the page again, which would leave full screen. */
export function showStory(story: string): void {
  history.pushState(null, '', linkToStory(story));
  presented.value = { story };
}

export function openPresenter(story: string | null): void {
  location.replace(story === null ? `${HOME}/present${partnerQuery()}` : linkToStory(story));
}

export function openDashboard(): void {
  location.assign(HOME + partnerQuery());
}

function partnerQuery(): string {
  return partnerId === undefined ? '' : `?partner=${encodeURIComponent(partnerId)}`;
}
