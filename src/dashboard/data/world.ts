const MAIN = 'main';

/** The id of the world that the page shows: `/dashboard/{world}`, by default `main`. */
export const world = decodeURIComponent(
  /^\/dashboard\/(?!present(?:\/|$))([^/]+)/.exec(location.pathname)?.[1] ?? MAIN,
);

export const isMain = world === MAIN;
