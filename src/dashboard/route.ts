import { computed, signal } from '@preact/signals';
import { world } from './data/world.ts';

/** A place in the dashboard: a view, the id of the open record or null, and what selects the rows of its list. */
export interface Route {
  readonly view: string;
  readonly id: string | null;
  readonly query: Readonly<Record<string, string>>;
  /** The record that the inspector shows over the view, or null. */
  readonly inspected: { readonly view: string; readonly id: string } | null;
}

const PARTNER = 'partner';
/** The parameter that names the inspected record: `{view}/{record}`. */
const INSPECTED = 'over';

// The address is `/dashboard/{world}?partner={id}#/{view}/{record}?{query}`: links to other places are relative to it,
// so that they keep world and partner.
const address = signal(location.href);
for (const type of ['hashchange', 'popstate']) addEventListener(type, readAddress);

function readAddress(): void {
  address.value = location.href;
}

/** The current place. It comes from the address, so that each place has its own link. */
export const route = computed<Route>(() => {
  // `#token=…` is not a place. It is removed from the address when the page loads.
  const [path = '', query] = new URL(address.value).hash.replace(/^#(\/|token=.*)?/, '').split('?');
  const [view = '', ...parts] = path.split('/');
  const id = parts.map(decode).join('/');
  const { [INSPECTED]: over = '', ...selection } = Object.fromEntries(new URLSearchParams(query));
  const [, inspectedView, inspectedId] = /^(\w+)\/(.+)$/.exec(over) ?? [];
  const place = {
    query: selection,
    inspected: inspectedView && inspectedId ? { view: inspectedView, id: inspectedId } : null,
  };
  // Links to the console that the dashboard had open the form that replaces it.
  if (view === 'console') return { view: 'requests', id: id === '' ? 'new' : `new/${id}`, ...place };
  return { view: view === '' ? 'overview' : view, id: id === '' ? null : id, ...place };
});

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const partnerInAddress = computed(() => new URL(address.value).searchParams.get(PARTNER));

export function linkTo(view: string, id?: string | null, query: Route['query'] = {}): string {
  const text = new URLSearchParams(query).toString();
  const place = id == null ? '' : `/${id.split('/').map(encodeURIComponent).join('/')}`;
  return `#/${view}${place}${text === '' ? '' : `?${text}`}`;
}

/** Returns the link to the same place with a record over it. */
export function linkOver(view: string, id: string): string {
  const { view: below, id: opened, query } = route.value;
  return linkTo(below, opened, { ...query, [INSPECTED]: `${view}/${id}` });
}

/** The views of records, by what their ids begin with. */
const VIEWS_BY_PREFIX: Readonly<Record<string, string>> = {
  ch: 'cardholders',
  card: 'cards',
  txn: 'transactions',
  kycs: 'sessions',
  evt: 'deliveries',
  req: 'requests',
};

/** Returns the view of the record with this id. Share tokens have no prefix of their own. */
export function viewOfId(id: string): string {
  const [prefix = ''] = id.split('_');
  return VIEWS_BY_PREFIX[prefix] ?? 'tokens';
}

export function inspect(view: string, id: string): void {
  location.hash = linkOver(view, id);
}

/** Closes the inspector. The place below it stays. */
export function closeInspector(): void {
  const { view, id, query } = route.value;
  go(view, id, query);
}

export function go(view: string, id?: string | null, query: Route['query'] = {}): void {
  location.hash = linkTo(view, id, query);
}

/** The id of the record that was created last, until its page has shown it. */
let created: string | null = null;

/** Opens a record that was just created. Its page gives it the focus. */
export function openCreated(view: string, id: string): void {
  created = id;
  go(view, id);
}

/** Whether the record with this id was just created. True once. */
export function consumeCreated(id: string): boolean {
  if (created !== id) return false;
  created = null;
  return true;
}

/** Changes what selects the rows, without a new entry in the history of the browser. An empty text is left out. */
export function selectRows(change: Route['query']): void {
  const { view, id, query } = route.value;
  const changed = Object.entries({ ...query, ...change }).filter(([, text]) => text !== '');
  history.replaceState(null, '', linkTo(view, id, Object.fromEntries(changed)));
  readAddress();
}

/** Writes the partner and the world into the address: in place of the current one, or as a new place. */
export function setPartnerInAddress(id: string, place: string | null = null): void {
  const target = `/dashboard/${encodeURIComponent(world)}?${new URLSearchParams({ [PARTNER]: id })}`;
  if (place === null) history.replaceState(null, '', target + location.hash);
  else history.pushState(null, '', target + place);
  readAddress();
}
