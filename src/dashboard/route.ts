import { computed, signal } from '@preact/signals';

/** A place in the dashboard: a view, and the id of the open record or null. */
export interface Route {
  readonly view: string;
  readonly id: string | null;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The current place. It comes from the address, so that each place has its own link. */
export const route = computed<Route>(() => {
  // `#token=…` is not a place. It is removed from the address when the page loads.
  const [view = '', id] = hash.value.replace(/^#(\/|token=.*)?/, '').split('/');
  return {
    view: view === '' ? 'overview' : view,
    id: id === undefined || id === '' ? null : decodeURIComponent(id),
  };
});

/** Returns the link to a view, or to a record in it. */
export function linkTo(view: string, id?: string): string {
  return id === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(id)}`;
}

/** Opens a view, or a record in it. */
export function go(view: string, id?: string): void {
  location.hash = linkTo(view, id);
}
