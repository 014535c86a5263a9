import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { go, route } from '../route.ts';
import { Icon } from './icons.tsx';
import { type Column, List } from './list.tsx';
import { Empty } from './panel.tsx';

interface BrowseProps<T extends object> {
  readonly view: string;
  readonly title: string;
  /** What one row is, for example `card`. */
  readonly noun: string;
  readonly rows: readonly T[] | null;
  readonly error: string | null;
  readonly idOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  /** Narrows the list down to rows in a state; the first choice is all of them. */
  readonly states?: { readonly of: (row: T) => string; readonly all: readonly string[] };
  readonly actions?: ComponentChildren;
  readonly empty: ComponentChildren;
  readonly detail: (id: string) => ComponentChildren;
}

const texts = new WeakMap<object, string>();

/** The text of a row in which the search looks, worked out once. */
function textOf(row: object): string {
  const known = texts.get(row) ?? JSON.stringify(row).toLowerCase();
  texts.set(row, known);
  return known;
}

/** A view of rows: search, states and actions above, the list below, and beside it what is selected. */
export function Browse<T extends object>(props: BrowseProps<T>) {
  const search = useSignal('');
  const state = useSignal('');
  const { id } = route.value;
  const { rows, states, idOf } = props;
  const wanted = search.value.trim().toLowerCase();
  const chosen = state.value;
  const shown = useMemo(
    () =>
      (rows ?? []).filter(
        row =>
          (chosen === '' || states?.of(row) === chosen) && (wanted === '' || textOf(row).includes(wanted)),
      ),
    [rows, wanted, chosen, states],
  );
  const isFiltered = wanted !== '' || chosen !== '';

  return (
    <div class={`browse ${id === null ? '' : 'with-detail'}`}>
      <section class="browse-list" aria-label={props.title}>
        <header class="view-head">
          <h1>
            {props.title} <span class="tally">{rows === null ? '' : tally(rows.length, shown.length)}</span>
          </h1>
          <div class="actions">{props.actions}</div>
        </header>
        <div class="filters">
          <label class="search">
            <Icon name="search" />
            <input
              type="search"
              data-search
              placeholder={`Search ${props.title.toLowerCase()}`}
              aria-label={`Search ${props.title.toLowerCase()}`}
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
              value={chosen}
              onChange={event => {
                state.value = event.currentTarget.value;
              }}
            >
              <option value="">All states</option>
              {states.all.map(each => (
                <option key={each} value={each}>
                  {each.replaceAll('_', ' ')}
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
            <p>Search looks at every field. Try a part of an id, a name or a message.</p>
          </Empty>
        )}
        {shown.length > 0 && (
          <List
            label={props.title}
            rows={shown}
            idOf={idOf}
            columns={props.columns}
            selected={id}
            onSelect={each => go(props.view, each)}
          />
        )}
      </section>
      {id !== null && (
        <aside class="detail" aria-label={`Selected ${props.noun}`} key={id}>
          <button
            type="button"
            class="icon-button detail-close"
            aria-label="Close"
            onClick={() => go(props.view)}
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

/** What stands in the place of a record that is not there (any more). */
export function Gone({ noun, id }: { readonly noun: string; readonly id: string }) {
  return (
    <Empty icon="search" title={`No ${noun} with this id`}>
      <p>
        <code>{id}</code> belongs to another partner, or a reset has taken it back.
      </p>
    </Empty>
  );
}
