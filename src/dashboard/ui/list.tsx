import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** A column of a list. */
export interface Column<T> {
  readonly title: string;
  /** A track of a CSS grid, for example `2fr` or `90px`. */
  readonly width: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Hidden when the list is narrow. */
  readonly isMinor?: boolean;
  readonly isNumber?: boolean;
}

interface ListProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly idOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
}

const ROW_HEIGHT = 52;
/** Rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 6;
/** How many rows are searched for the one that was first before the last change. */
const MAX_ADDED_ROWS = 100;

/**
 * A list of any length. Only the visible rows are in the document. Arrow keys, `j` and `k` move the selection.
 * Rows that are added at the top do not move the visible ones.
 */
export function List<T>({ label, rows, idOf, columns, selected, onSelect }: ListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const firstId = useRef<string | null>(null);
  const position = selected === null ? -1 : rows.findIndex(row => idOf(row) === selected);

  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(() => {
      height.value = current.clientHeight;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [height]);

  useLayoutEffect(() => {
    const { current } = box;
    const added = rows.slice(0, MAX_ADDED_ROWS).findIndex(row => idOf(row) === firstId.current);
    if (current !== null && added > 0 && current.scrollTop > ROW_HEIGHT) {
      current.scrollTop += added * ROW_HEIGHT;
    }
    firstId.current = rows[0] === undefined ? null : idOf(rows[0]);
  }, [rows, idOf]);

  function move(by: number) {
    const next = Math.min(Math.max(position + by, 0), rows.length - 1);
    const row = rows[next];
    if (row === undefined || box.current === null) return;
    onSelect(idOf(row));
    const above = next * ROW_HEIGHT;
    const below = above + ROW_HEIGHT - box.current.clientHeight;
    box.current.scrollTop = Math.min(Math.max(box.current.scrollTop, below), above);
  }

  function onKeyDown(event: KeyboardEvent) {
    const page = Math.max(Math.floor(height.value / ROW_HEIGHT) - 1, 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -rows.length,
      End: rows.length,
    };
    const by = steps[event.key];
    if (by === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    move(by);
  }

  const first = Math.max(Math.floor(top.value / ROW_HEIGHT) - OVERSCAN_ROWS, 0);
  const last = Math.min(Math.ceil((top.value + height.value) / ROW_HEIGHT) + OVERSCAN_ROWS, rows.length);
  const tracks = {
    '--tracks': columns.map(({ width }) => width).join(' '),
    '--narrow': narrowTracks(columns),
  };
  const id = `list-${label.replaceAll(' ', '-')}`;
  return (
    <div class="list" style={tracks}>
      <div class="list-head" aria-hidden="true">
        {columns.map(column => (
          <span key={column.title} class={classOf(column)}>
            {column.title}
          </span>
        ))}
      </div>
      <div
        ref={box}
        class="list-rows"
        role="listbox"
        aria-label={label}
        tabIndex={0}
        {...(position >= first && position < last ? { 'aria-activedescendant': `${id}-${position}` } : {})}
        onScroll={event => {
          top.value = event.currentTarget.scrollTop;
        }}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: `${rows.length * ROW_HEIGHT}px` }} role="presentation">
          <div style={{ transform: `translateY(${first * ROW_HEIGHT}px)` }} role="presentation">
            {rows.slice(first, last).map((row, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
              <div
                key={idOf(row)}
                id={`${id}-${first + index}`}
                class="row"
                role="option"
                tabIndex={-1}
                aria-selected={idOf(row) === selected}
                aria-setsize={rows.length}
                aria-posinset={first + index + 1}
                onClick={() => onSelect(idOf(row))}
              >
                {columns.map(column => (
                  <span key={column.title} class={classOf(column)}>
                    {column.cell(row)}
                  </span>
                ))}
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

function classOf<T>({ isMinor, isNumber }: Column<T>): string {
  return `cell${isMinor === true ? ' minor' : ''}${isNumber === true ? ' number' : ''}`;
}

function narrowTracks<T>(columns: readonly Column<T>[]): string {
  return columns
    .filter(({ isMinor }) => isMinor !== true)
    .map(({ width }) => width)
    .join(' ');
}

interface TwoLinesProps {
  readonly main: ComponentChildren;
  readonly sub: ComponentChildren;
}

/** A cell with a main line and a smaller line below it. */
export function TwoLines({ main, sub }: TwoLinesProps) {
  return (
    <span class="two-lines">
      <span class="main">{main}</span>
      <span class="sub">{sub}</span>
    </span>
  );
}
