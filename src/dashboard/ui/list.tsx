import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

export interface Column<T> {
  readonly title: string;
  /** A track of a CSS grid, for example `2fr` or `90px`. */
  readonly width: string;
  /** `rows` are all that the list shows. */
  readonly cell: (row: T, rows: readonly T[]) => ComponentChildren;
  /** Hidden when the list is narrow: beside an open record, or only on a phone. Default: never. */
  readonly hideWhen?: 'narrow' | 'phone';
  readonly isNumber?: boolean;
}

interface ListProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  /** How many rows are before this page, and how many there are in all; null when that is not known. */
  readonly offset: number;
  readonly total: number | null;
  readonly idOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
}

/** By how many rows a key moves the selection. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
/** Fields, and what scrolls by itself. They take these keys themselves. */
const OWN_KEYS = 'input, textarea, select, pre';
/** The events that end a press: a touch that becomes a scroll is cancelled. */
const RELEASES = ['pointerup', 'pointercancel'] as const;

/** One page of a list. It obeys its keys wherever on the page the focus is. */
export function List<T>({
  label,
  rows: current,
  offset,
  total,
  idOf,
  columns,
  selected,
  onSelect,
}: ListProps<T>) {
  const [rows, hold] = useHeldWhilePressed(current);
  const box = useRef<HTMLDivElement>(null);
  const position = selected === null ? -1 : rows.findIndex(row => idOf(row) === selected);
  const id = `list-${label.replaceAll(' ', '-')}`;

  useLayoutEffect(() => {
    if (selected !== null)
      box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  // Another page of the list begins at its top.
  useLayoutEffect(() => {
    if (box.current !== null) box.current.scrollTop = 0;
  }, [offset]);
  // Before the browser paints: a key that follows at once must see the selection that is shown.
  useLayoutEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });

  function onKeyDown(event: KeyboardEvent) {
    const { target, key } = event;
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (!(target instanceof Element) || target.closest('dialog') !== null) return;
    const entersList = key === 'ArrowDown' && target.matches('[data-search]');
    if (!entersList && target.matches(OWN_KEYS)) return;
    if (key === 'Enter') {
      // A button and a link take the key themselves.
      if (target.closest('a, button, summary') === null)
        document.querySelector<HTMLElement>('.detail')?.focus();
      return;
    }
    const isInside = box.current?.contains(target) === true;
    const steps: Readonly<Record<string, number>> = isInside
      ? { ...STEPS, Home: -rows.length, End: rows.length }
      : STEPS;
    const by = steps[key];
    const next = by === undefined ? undefined : rows[Math.min(Math.max(position + by, 0), rows.length - 1)];
    if (next === undefined) return;
    event.preventDefault();
    box.current?.querySelector<HTMLElement>('[role=listbox]')?.focus({ preventScroll: true });
    onSelect(idOf(next));
  }

  const tracks = {
    '--tracks': tracksOf(columns),
    '--narrow': tracksOf(columns.filter(({ hideWhen }) => hideWhen !== 'narrow')),
    '--phone': tracksOf(columns.filter(({ hideWhen }) => hideWhen === undefined)),
  };
  return (
    <div class="list" ref={box} style={tracks}>
      <div class="list-head" aria-hidden="true">
        {columns.map(column => (
          <span key={column.title} class={classOf(column)}>
            {column.title}
          </span>
        ))}
      </div>
      <div
        class="list-rows"
        role="listbox"
        aria-label={label}
        tabIndex={0}
        onPointerDown={event => event.button === 0 && hold()}
        aria-activedescendant={position < 0 ? undefined : `${id}-${position}`}
      >
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
          <div
            key={idOf(row)}
            id={`${id}-${index}`}
            class="row"
            role="option"
            tabIndex={-1}
            aria-selected={index === position}
            aria-setsize={total ?? -1}
            aria-posinset={offset + index + 1}
            onClick={() => onSelect(idOf(row))}
          >
            {columns.map(column => (
              <span key={column.title} class={classOf(column)}>
                {column.cell(row, rows)}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Returns the rows, and a function that keeps them until the pointer is released: a row that moves away before is not clicked. */
function useHeldWhilePressed<T>(rows: readonly T[]): readonly [readonly T[], () => void] {
  const held = useSignal<readonly T[] | null>(null);
  useEffect(() => {
    const release = () => {
      held.value = null;
    };
    for (const type of RELEASES) addEventListener(type, release);
    return () => {
      for (const type of RELEASES) removeEventListener(type, release);
    };
  }, [held]);
  const hold = () => {
    held.value = rows;
  };
  return [held.value ?? rows, hold];
}

function classOf<T>({ hideWhen, isNumber }: Column<T>): string {
  const hidden = hideWhen === undefined ? '' : ` minor not-${hideWhen}`;
  return `cell${hidden}${isNumber === true ? ' number' : ''}`;
}

function tracksOf<T>(columns: readonly Column<T>[]): string {
  return columns.map(({ width }) => width).join(' ');
}

export function TwoLines({ main, sub }: Readonly<Record<'main' | 'sub', ComponentChildren>>) {
  return (
    <span class="two-lines">
      <span class="main">{main}</span>
      <span class="sub">{sub}</span>
    </span>
  );
}
