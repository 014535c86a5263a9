import { shortMoment } from './format.ts';
import { clock } from '../data/store.ts';
import { linkTo } from '../route.ts';
import type { Column } from './list.tsx';

/** The last column of most lists: when it happened. */
export function momentColumn<T>(title: string, at: (row: T) => string): Column<T> {
  return {
    title,
    width: '96px',
    isMinor: true,
    isNumber: true,
    cell: row => shortMoment(at(row), clock.value.value?.now),
  };
}

/** The fact that a cardholder was made of a record, with the way there; none where it was not used. */
export function usedBy(id: string | null) {
  return ['Used by', id && <a href={linkTo('cardholders', id)}>{id}</a>] as const;
}
