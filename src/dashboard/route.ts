import { computed, signal } from '@preact/signals';
import { world } from './data/world.ts';

/** A place in the dashboard: a view, the id of the open record or null, and what selects the rows of its list. */
export interface Route {
  readonly view: string;
  readonly id: string | null;
  readonly query: Readonly<Record<string, string>>;
}

const PARTNER = 'partner';

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
  return {
    view: view === '' ? 'home' : view,
    id: id === '' ? null : id,
    query: Object.fromEntries(new URLSearchParams(query)),
  };
});

/** Decodes a part of the address. Returns one that is not encoded as it is. */
export function decode(text: string): string {
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

/** The views of records, by what their ids begin with. */
const VIEWS_BY_PREFIX: ReadonlyMap<string, string> = new Map([
  ['ch', 'cardholders'],
  ['card', 'cards'],
  ['txn', 'transactions'],
  ['kycs', 'kyc-sessions'],
  ['evt', 'webhooks'],
  ['req', 'activity'],
]);

export function viewOfId(id: string): string {
  const [prefix = ''] = id.split('_');
  return VIEWS_BY_PREFIX.get(prefix) ?? 'share-tokens';
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
