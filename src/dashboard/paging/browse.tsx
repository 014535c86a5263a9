import type { ComponentChildren } from 'preact';
import { BrowseFrame, type BrowseTexts, PAGE_ROWS, selectionInAddress } from './browse-frame.tsx';

interface Row {
  readonly id: string;
}

interface BrowseProps<T extends Row> extends BrowseTexts<T> {
  readonly rows: readonly T[] | null;
  readonly error: string | null;
  /** Returns what a row shows that no single member of it has. A search looks in it, too. */
  readonly textOf?: (row: T) => string;
  readonly detail: (id: string) => ComponentChildren;
}

const searchTexts = new WeakMap<object, string>();

/** Returns the text of a row in which a search looks, in lower case. */
export function searchTextOf<T extends Row>(row: T, textOf?: (row: T) => string): string {
  const text = searchTexts.get(row) ?? `${textIn(row)} ${textOf?.(row) ?? ''}`.toLowerCase();
  searchTexts.set(row, text);
  return text;
}

/** Returns the values of all members of an object or array as one text. */
function textIn(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Object.values(value).map(textIn).join('\n');
  return value == null ? '' : String(value);
}

/** A list that the page has as a whole, and searches itself. */
export function Browse<T extends Row>({ rows, textOf, ...props }: BrowseProps<T>) {
  const { q, page } = selectionInAddress();
  const wanted = q.toLowerCase();
  const matching =
    wanted === '' ? rows : (rows?.filter(row => searchTextOf(row, textOf).includes(wanted)) ?? null);
  const offset = (page - 1) * PAGE_ROWS;
  return (
    <BrowseFrame
      {...props}
      loaded={
        matching && {
          rows: matching.slice(offset, offset + PAGE_ROWS),
          total: matching.length,
          hasMore: offset + PAGE_ROWS < matching.length,
        }
      }
      idOf={({ id }) => id}
      all={rows?.length ?? null}
    />
  );
}
