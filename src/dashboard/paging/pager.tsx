import { go, route } from '../route.ts';
import { Button } from '../ui/panel.tsx';
import { PAGE_ROWS } from './page-rows.ts';

interface PagerProps {
  /** The number of the page, from 1. */
  readonly page: number;
  /** How many rows are before it, and on it. */
  readonly offset: number;
  readonly shown: number;
  /** The number of all rows; null when it is not known. */
  readonly total: number | null;
  readonly hasMore: boolean;
}

/** Which part of a list is shown, and the ways to the others. */
export function Pager({ page, offset, shown, total, hasMore }: PagerProps) {
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
      <button type="button" class="button pager-end" disabled={page === 1} onClick={() => open(1)}>
        Newest
      </button>
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
      {pages !== null && (
        <button type="button" class="button pager-end" disabled={page >= pages} onClick={() => open(pages)}>
          Oldest
        </button>
      )}
    </nav>
  );
}
