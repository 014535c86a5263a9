import { signal } from '@preact/signals';

const MAIN = 'main';

/** The id of the world that the page shows: `/dashboard/{world}`, by default `main`. */
export const world = decodeURIComponent(
  /^\/dashboard\/(?!present(?:\/|$))([^/]+)/.exec(location.pathname)?.[1] ?? MAIN,
);

/** Whether the page shows the world that the server started with. */
export const isMain = world === MAIN;

export interface ListedWorld {
  readonly id: string;
}

/** All worlds of the server, or null until they are loaded. */
export const worlds = signal<readonly ListedWorld[] | null>(null);

export function openWorld(id: string): void {
  location.assign(`/dashboard/${encodeURIComponent(id)}${location.search}${location.hash}`);
}
