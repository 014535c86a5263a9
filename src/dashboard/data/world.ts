import { signal } from '@preact/signals';

const MAIN = 'main';

/** The id of the world that the page shows: `/dashboard/{world}`, by default `main`. */
export const world = decodeURIComponent(
  /^\/dashboard\/(?!present(?:\/|$))([^/]+)/.exec(location.pathname)?.[1] ?? MAIN,
);

/** Whether the page shows the world that the server started with. */
export const isMain = world === MAIN;

/** A world, as `GET /_sandbox/worlds` lists it. */
export interface ListedWorld {
  readonly id: string;
}

/** All worlds of the server, or null until they are loaded. */
export const worlds = signal<readonly ListedWorld[] | null>(null);

/** Shows a world, on the same page. */
export function openWorld(id: string): void {
  location.assign(`/dashboard/${encodeURIComponent(id)}${location.search}${location.hash}`);
}
