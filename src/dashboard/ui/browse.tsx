import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { after } from '../browser/timers.ts';
import { go, route } from '../route.ts';
import { readable } from './format.ts';
import { Icon } from './icons.tsx';
import { type Column, List } from './list.tsx';
import { Empty } from './panel.tsx';
import type { View } from './view.ts';

interface BrowseProps<T extends object> {
  readonly view: Pick<View, 'name' | 'title'>;
  /** What one row is called, for example `card`. */
  readonly noun: string;
  readonly rows: readonly T[] | null;
  /** The number of all records, if `rows` may be only the newest. */
  readonly total?: number | null;
  /** Lets the sandbox search for a text. Used when `rows` are not all records. */
  readonly search?: (text: string, cancelled: AbortSignal) => Promise<readonly T[]>;
  readonly error: string | null;
  readonly idOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  /** The states that the list can be filtered by. */
  readonly states?: { readonly of: (row: T) => string; readonly all: readonly string[] };
  readonly actions?: ComponentChildren;
  /** Shown when there are no rows. */
  readonly empty: ComponentChildren;
  /** Renders the record that is open. */
  readonly detail: (id: string) => ComponentChildren;
}

/** How long the page waits for the next key before it lets the sandbox search. */
const SEARCH_PAUSE_MS = 250;

const searchTexts = new WeakMap<object, string>();

/** Returns the text of a row that a search looks in. Computed once per row. */
function searchTextOf(row: object): string {
  const text = searchTexts.get(row) ?? JSON.stringify(row).toLowerCase();
  searchTexts.set(row, text);
  return text;
}

/** Returns the rows that the sandbox finds for a text, or null while it searches and for an empty text. */
function useSearch<T>(text: string, search: BrowseProps<T & object>['search']): readonly T[] | null {
  const found = useSignal<readonly T[] | null>(null);
  useEffect(() => {
    found.value = null;
    if (text === '' || search === undefined) return undefined;
    const leaving = new AbortController();
    const cancelTimer = after(SEARCH_PAUSE_MS, () => {
      search(text, leaving.signal).then(
        rows => {
          if (!leaving.signal.aborted) found.value = rows;
        },
        // The rows that the page has are searched in any case.
        () => undefined,
      );
    });
    return () => {
      cancelTimer();
      leaving.abort();
    };
  }, [text, search, found]);
  return found.value;
}

/** A list of records with search, state filter and actions, and the open record beside it. */
export function Browse<T extends object>(props: BrowseProps<T>) {
  const search = useSignal('');
  const state = useSignal('');
  const { id } = route.value;
  const { view, rows, states, idOf } = props;
  const wanted = search.value.trim().toLowerCase();
  const wantedState = state.value;
  const all = props.total ?? rows?.length ?? 0;
  const found = useSearch(wanted, all > (rows?.length ?? 0) ? props.search : undefined);
  const shown = useMemo(
    () =>
      (found ?? rows ?? []).filter(
        row =>
          (wantedState === '' || states?.of(row) === wantedState) &&
          (wanted === '' || searchTextOf(row).includes(wanted)),
      ),
    [rows, found, wanted, wantedState, states],
  );
  const isFiltered = wanted !== '' || wantedState !== '';

  return (
    <div class={`browse ${id === null ? '' : 'with-detail'}`}>
      <section class="browse-list" aria-label={view.title}>
        <header class="view-head">
          <h1>
            {view.title} <span class="tally">{rows === null ? '' : tally(all, shown.length)}</span>
          </h1>
          <div class="actions">{props.actions}</div>
        </header>
        <div class="filters">
          <label class="search">
            <Icon name="search" />
            <input
              type="search"
              data-search
              placeholder={`Search ${view.title.toLowerCase()}`}
              aria-label={`Search ${view.title.toLowerCase()}`}
              value={search.value}
              onInput={event => {
                search.value = event.currentTarget.value;
              }}
            />
            <kbd>/</kbd>
          </label>
          {states !== undefined && (
            <select
              aria-label="State"
              value={wantedState}
              onChange={event => {
                state.value = event.currentTarget.value;
              }}
            >
              <option value="">All states</option>
              {states.all.map(each => (
                <option key={each} value={each}>
                  {readable(each)}
                </option>
              ))}
            </select>
          )}
        </div>
        {props.error !== null && <p class="problem">{props.error}</p>}
        {rows === null && props.error === null && <Loading />}
        {rows?.length === 0 && props.empty}
        {rows !== null && rows.length > 0 && shown.length === 0 && isFiltered && (
          <Empty icon="search" title={`No ${props.noun} matches`}>
            <p>The search covers every field. Try a part of an id, a name or a message.</p>
          </Empty>
        )}
        {shown.length > 0 && (
          <List
            label={view.title}
            rows={shown}
            idOf={idOf}
            columns={props.columns}
            selected={id}
            onSelect={each => go(view.name, each)}
          />
        )}
      </section>
      {id !== null && (
        <aside class="detail" aria-label={`Selected ${props.noun}`} key={id}>
          <button
            type="button"
            class="icon-button detail-close"
            aria-label="Close"
            onClick={() => go(view.name)}
          >
            <Icon name="close" />
          </button>
          {props.detail(id)}
        </aside>
      )}
    </div>
  );
}

function tally(all: number, shown: number): string {
  return all === shown
    ? all.toLocaleString('en')
    : `${shown.toLocaleString('en')} of ${all.toLocaleString('en')}`;
}

function Loading() {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {[0, 1, 2, 3, 4].map(each => (
        <span key={each} />
      ))}
    </div>
  );
}

/** Shown when there is no record with the id in the address. */
export function MissingRecord({ noun, id }: { readonly noun: string; readonly id: string }) {
  return (
    <Empty icon="search" title={`No ${noun} with this id`}>
      <p>
        <code>{id}</code> belongs to another partner, or a reset removed it.
      </p>
    </Empty>
  );
}
