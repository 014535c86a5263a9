import { signal } from '@preact/signals';
import { isMain, world } from '../data/world.ts';

const HOME = isMain ? '/dashboard' : `/dashboard/${encodeURIComponent(world)}`;

/** What the presenter shows: a story by its id, or null for the list of stories. */
export interface Presented {
  readonly story: string | null;
}

/** Null when the page shows the dashboard. */
export const presented = signal(inAddress());
addEventListener('popstate', () => {
  presented.value = inAddress();
});

export const isNotesWindow = new URLSearchParams(location.search).has('notes');

function inAddress(path = location.pathname): Presented | null {
  const [found, , story] = /\/present(\/([^/]+))?\/?$/.exec(path) ?? [];
  return found === undefined ? null : { story: story === undefined ? null : decodeURIComponent(story) };
}

export function linkTo(story: string | null): string {
  return `${HOME}/present${story === null ? '' : `/${encodeURIComponent(story)}`}${partnerQuery()}`;
}

export function linkToNotes(story: string | null): string {
  return `${linkTo(story)}${partnerQuery() === '' ? '?' : '&'}notes`;
}

/** Shows a story, or the list, as a new place, or in place of one that there is not. */
export function show(story: string | null, change: 'pushState' | 'replaceState' = 'pushState'): void {
  history[change](null, '', linkTo(story));
  presented.value = { story };
}

/** Shows the notes of the story that the window shows from which they were opened, while that window is open. */
export function followOpener(): void {
  const path = pathOfOpener();
  if (path === null) return;
  const story = inAddress(path)?.story ?? null;
  if (presented.value?.story === story) return;
  history.replaceState(null, '', linkToNotes(story));
  presented.value = { story };
}

function pathOfOpener(): string | null {
  try {
    // The standard library has no type for it.
    const opener = window.opener as Window | null;
    return opener === null || opener.closed ? null : opener.location.pathname;
  } catch {
    // It shows another site.
    return null;
  }
}

export function openPresenter(): void {
  location.assign(linkTo(null));
}

export function openDashboard(): void {
  location.assign(HOME + partnerQuery());
}

/** The partner in the address, which the dashboard shows again afterwards. */
function partnerQuery(): string {
  const partner = new URLSearchParams(location.search).get('partner');
  return partner === null ? '' : `?partner=${encodeURIComponent(partner)}`;
}
