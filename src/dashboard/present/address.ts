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

function inAddress(): Presented | null {
  const [found, , story] = /\/present(\/([^/]+))?\/?$/.exec(location.pathname) ?? [];
  return found === undefined ? null : { story: story === undefined ? null : decodeURIComponent(story) };
}

export function linkTo(story: string | null): string {
  return `${HOME}/present${story === null ? '' : `/${encodeURIComponent(story)}`}${partnerQuery()}`;
}

export function linkToNotes(story: string): string {
  return `${linkTo(story)}${partnerQuery() === '' ? '?' : '&'}notes`;
}

export function show(story: string | null): void {
  history.pushState(null, '', linkTo(story));
  presented.value = { story };
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
