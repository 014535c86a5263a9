import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { after } from '../browser.ts';
import { consumeCreated, go, route, selectRows } from '../route.ts';
import { Options } from '../ui/form.tsx';
import { readable } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { type Column, List } from '../ui/list.tsx';
import { Button, Empty, Loading, PageHead } from '../ui/panel.tsx';
import { Search } from '../ui/search.tsx';
import type { View } from '../ui/view.ts';

export const PAGE_ROWS = 50;

const SEARCH_PAUSE_MS = 250;

/** What a page about records says about itself. */
export interface BrowseTexts<T> {
  readonly view: Pick<View, 'name' | 'title' | 'tabs'>;
  /** What one row is called, for example `card`. */
  readonly noun: string;
  readonly columns: readonly Column<T>[];
  readonly actions?: ComponentChildren;
  /** Filters of its own, besides the search and the state. */
  readonly filters?: ComponentChildren;
  readonly empty: ComponentChildren;
}

interface BrowseFrameProps<T> extends BrowseTexts<T> {
  /** One page of what matches; null until it is loaded. */
  readonly rows: readonly T[] | null;
  readonly idOf: (row: T) => string;
  /** The number of all records, and of those that match; null when it is not known. */
  readonly all: number | null;
  readonly matching: number | null;
  readonly hasMore: boolean;
  readonly error: string | null;
  /** The states that the list can be filtered by. */
  readonly states: readonly string[] | undefined;
  readonly notice?: ComponentChildren;
  readonly detail: (id: string) => ComponentChildren;
}

/** Returns a title as it is in a sentence: `cards`, but `KYC sessions`. */
export function inSentence(title: string): string {
  return title.replace(/^[A-Z](?=[a-z])/, first => first.toLowerCase());
}

/** What selects the rows of the list: it is in the address, so that a link to the list has it. */
export function selectionInAddress() {
  const { q = '', state = '', page = '1' } = route.value.query;
  const number = Number(page);
  return { q: q.trim(), state, page: Number.isSafeInteger(number) && number > 0 ? number : 1 };
}

/** A list of records with search, state filter, pages and actions, and the open record beside it. */
export function BrowseFrame<T>(props: BrowseFrameProps<T>) {
  const { view, noun, rows, idOf, all, matching, hasMore, states, error, detail } = props;
  const { id, query } = route.value;
  const { q, state, page } = selectionInAddress();
  const offset = (page - 1) * PAGE_ROWS;
  const isFiltered = q !== '' || state !== '';
  const tally = tallyOf({ all, matching, hasMore, shown: offset + (rows?.length ?? 0), isFiltered });

  return (
    <div class={`browse ${id === null ? '' : 'with-detail'}`}>
      <section class="browse-list" aria-label={view.title}>
        <PageHead
          title={view.title}
          tally={rows === null ? '' : tally}
          actions={props.actions}
          tabs={view.tabs}
        />
        <div class="filters">
          <ListSearch label={`Search ${inSentence(view.title)}`} text={q} />
          {states !== undefined && (
            <select
              aria-label="State"
              value={state}
              onChange={event => selectRows({ state: event.currentTarget.value, page: '' })}
            >
              <option value="">All states</option>
              <Options of={states.map(each => [each, readable(each)])} />
            </select>
          )}
          {props.filters}
        </div>
        {error !== null && <p class="problem">{error}</p>}
        {props.notice}
        {rows === null && error === null && <Loading />}
        {rows?.length === 0 && !isFiltered && page === 1 && props.empty}
        {rows?.length === 0 && isFiltered && (
          <Empty icon="search" title={`No ${noun} matches`}>
            <p>The search covers every field. Try a part of an id, a name or a message.</p>
          </Empty>
        )}
        {rows !== null && rows.length > 0 && (
          <List
            label={view.title}
            rows={rows}
            offset={offset}
            total={matching}
            idOf={idOf}
            columns={props.columns}
            selected={id}
            onSelect={each => go(view.name, each, query)}
          />
        )}
        {rows !== null && (page > 1 || hasMore) && (
          <Pager page={page} offset={offset} shown={rows.length} total={matching} hasMore={hasMore} />
        )}
      </section>
      {id !== null && (
        <Detail key={id} id={id} noun={noun} close={() => go(view.name, null, query)}>
          {detail(id)}
        </Detail>
      )}
    </div>
  );
}

interface DetailProps {
  readonly id: string;
  readonly noun: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** The open record. It gets the focus when it has just been created. */
function Detail({ id, noun, close, children }: DetailProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (consumeCreated(id)) box.current?.focus();
  }, [id]);
  return (
    <aside ref={box} class="detail" aria-label={`Selected ${noun}`} tabIndex={-1}>
      <button type="button" class="icon-button detail-close" aria-label="Close" onClick={close}>
        <Icon name="close" />
      </button>
      {children}
    </aside>
  );
}

/** The field for the text to search for. The address follows it after a moment. */
function ListSearch({ label, text }: { readonly label: string; readonly text: string }) {
  const typed = useSignal(text);
  const written = useRef(text);
  useEffect(() => {
    // A text that this field wrote into the address is older than what was typed since.
    if (text !== written.current) typed.value = text;
    written.current = text;
  }, [text, typed]);
  const wanted = typed.value.trim();
  useEffect(() => {
    if (wanted === written.current) return undefined;
    return after(SEARCH_PAUSE_MS, () => {
      written.current = wanted;
      selectRows({ q: wanted, page: '' });
    });
  }, [wanted]);
  return (
    <Search
      label={label}
      value={typed.value}
      onInput={each => {
        typed.value = each;
      }}
    />
  );
}

interface Tally {
  readonly all: number | null;
  readonly matching: number | null;
  readonly hasMore: boolean;
  readonly shown: number;
  readonly isFiltered: boolean;
}

/** Returns how many records there are, and how many of them match: `12 of 3,000`, or `50+` when no one counts them. */
function tallyOf({ all, matching, hasMore, shown, isFiltered }: Tally): string {
  const total = all?.toLocaleString('en') ?? '';
  if (!isFiltered) return total;
  const found = matching?.toLocaleString('en') ?? `${shown.toLocaleString('en')}${hasMore ? '+' : ''}`;
  return total === '' ? found : `${found} of ${total}`;
}

export function MissingRecord({ noun, id }: { readonly noun: string; readonly id: string }) {
  return (
    <Empty icon="search" title={`No ${noun} with this id`}>
      <p>
        <code>{id}</code> is not in this world. It may belong to another one, or a reset removed it.
      </p>
    </Empty>
  );
}

interface PagerProps {
  readonly page: number;
  /** How many rows are before it, and on it. */
  readonly offset: number;
  readonly shown: number;
  /** The number of all rows; null when it is not known. */
  readonly total: number | null;
  readonly hasMore: boolean;
}

function Pager({ page, offset, shown, total, hasMore }: PagerProps) {
  const { view, id, query } = route.value;
  const pages = total === null ? null : Math.max(Math.ceil(total / PAGE_ROWS), 1);
  const open = (next: number) => {
    const { page: _, ...rest } = query;
    go(view, id, next === 1 ? rest : { ...rest, page: String(next) });
  };
  const range =
    shown === 0 ? 'No rows' : `${(offset + 1).toLocaleString('en')}–${(offset + shown).toLocaleString('en')}`;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span role="status">
        {range}
        {total !== null && ` of ${total.toLocaleString('en')}`}
      </span>
      <Button disabled={page === 1} onClick={() => open(page - 1)}>
        Newer
      </Button>
      <label>
        Page{' '}
        <input
          type="number"
          aria-label="Page number"
          min={1}
          max={pages ?? ''}
          value={page}
          onChange={event => {
            const wanted = Math.floor(event.currentTarget.valueAsNumber);
            if (wanted >= 1) open(pages === null ? wanted : Math.min(wanted, pages));
          }}
        />
        {pages !== null && ` of ${pages.toLocaleString('en')}`}
      </label>
      <Button disabled={!hasMore} onClick={() => open(page + 1)}>
        Older
      </Button>
    </nav>
  );
}
