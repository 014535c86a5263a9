import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { after } from '../browser.ts';
import { consumeCreated, go, route, selectRows } from '../route.ts';
import { Button } from '../ui/button.tsx';
import { Options } from '../ui/form.tsx';
import { readable } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { type Column, List } from '../ui/list.tsx';
import { Empty, Loading, PageHead } from '../ui/panel.tsx';
import type { View } from '../ui/view.ts';

export const PAGE_ROWS = 50;

const SEARCH_PAUSE_MS = 250;

export interface BrowseTexts<T> {
  readonly view: Pick<View, 'name' | 'title' | 'tabs'>;
  /** What one row is called, for example `card`. */
  readonly noun: string;
  readonly columns: readonly Column<T>[];
  readonly actions?: ComponentChildren;
  readonly filters?: ComponentChildren;
  readonly empty: ComponentChildren;
}

/** One page of the rows that match. */
export interface RowPage<T> {
  readonly rows: readonly T[];
  /** The number of all that match; null when nobody counts them. */
  readonly total: number | null;
  readonly hasMore: boolean;
}

interface BrowseFrameProps<T> extends BrowseTexts<T> {
  /** Null until it is loaded. */
  readonly loaded: RowPage<T> | null;
  readonly idOf: (row: T) => string;
  /** The number of all records, whether they match or not; null when it is not known. */
  readonly all: number | null;
  readonly error: string | null;
  readonly states?: readonly string[];
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

export function BrowseFrame<T>(props: BrowseFrameProps<T>) {
  const { view, noun, loaded, idOf, all, states, error, detail } = props;
  const { id, query } = route.value;
  const { q, state, page } = selectionInAddress();
  const offset = (page - 1) * PAGE_ROWS;
  const isFiltered = q !== '' || state !== '';

  return (
    <div class={`browse ${id === null ? '' : 'with-detail'}`}>
      <section class="browse-list" aria-label={view.title}>
        <PageHead
          title={view.title}
          tally={loaded && tallyOf(all, isFiltered ? loaded : null, offset)}
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
        {loaded === null && error === null && <Loading />}
        {loaded?.rows.length === 0 && !isFiltered && page === 1 && props.empty}
        {loaded?.rows.length === 0 && isFiltered && (
          <Empty icon="search" title={`No ${noun} matches`}>
            <p>The search covers every field. Try a part of an id, a name or a message.</p>
          </Empty>
        )}
        {loaded !== null && loaded.rows.length > 0 && (
          <List
            label={view.title}
            rows={loaded.rows}
            offset={offset}
            total={loaded.total}
            idOf={idOf}
            columns={props.columns}
            selected={id}
            onSelect={each => go(view.name, each, query)}
          />
        )}
        {loaded !== null && (page > 1 || loaded.hasMore) && (
          <Pager page={page} offset={offset} loaded={loaded} />
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

function Detail({ id, noun, close, children }: DetailProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (consumeCreated(id)) box.current?.focus();
  }, [id]);
  return (
    <aside ref={box} class="detail" aria-label={`Selected ${noun}`} tabIndex={-1}>
      <Button kind="detail-close" icon="close" label="Close" onClick={close} />
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
    <label class="search">
      <Icon name="search" />
      <input
        type="search"
        data-search
        placeholder={label}
        aria-label={label}
        aria-keyshortcuts="/ Control+K"
        value={typed.value}
        onInput={event => {
          typed.value = event.currentTarget.value;
        }}
      />
      <kbd>/</kbd>
    </label>
  );
}

/** Returns how many records there are, and how many of them match: `12 of 3,000`, or `50+` when nobody counts them. */
function tallyOf(all: number | null, matching: RowPage<unknown> | null, offset: number): string {
  const total = all?.toLocaleString('en') ?? '';
  if (matching === null) return total;
  const shown = `${(offset + matching.rows.length).toLocaleString('en')}${matching.hasMore ? '+' : ''}`;
  const found = matching.total?.toLocaleString('en') ?? shown;
  return total === '' ? found : `${found} of ${total}`;
}

interface PagerProps {
  readonly page: number;
  readonly offset: number;
  readonly loaded: RowPage<unknown>;
}

function Pager({ page, offset, loaded: { rows, total, hasMore } }: PagerProps) {
  const { view, id, query } = route.value;
  const pages = total === null ? null : Math.max(Math.ceil(total / PAGE_ROWS), 1);
  const open = (next: number) => {
    const { page: _, ...rest } = query;
    go(view, id, next === 1 ? rest : { ...rest, page: String(next) });
  };
  const last = (offset + rows.length).toLocaleString('en');
  const range = rows.length === 0 ? 'No rows' : `${(offset + 1).toLocaleString('en')}–${last}`;
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
