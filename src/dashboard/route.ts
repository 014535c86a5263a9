import { computed, signal } from '@preact/signals';

/** Where the reader is: a view, and what is open in it. */
export interface Route {
  readonly view: string;
  readonly id: string | null;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** Where the reader is, from the address, so that every place has a link of its own. */
export const route = computed<Route>(() => {
  // `#token=…` is no place; it is taken out of the address.
  const [view = '', id] = hash.value.replace(/^#(\/|token=.*)?/, '').split('/');
  return {
    view: view === '' ? 'overview' : view,
    id: id === undefined || id === '' ? null : decodeURIComponent(id),
  };
});

/** The link to a view, or to a record in it. */
export function linkTo(view: string, id?: string): string {
  return id === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(id)}`;
}

/** Goes to a view, or to a record in it. */
export function go(view: string, id?: string): void {
  location.hash = linkTo(view, id);
}
