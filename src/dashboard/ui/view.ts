import type { ComponentType } from 'preact';
import type { RecordList } from '../data/records.ts';
import type { IconName } from './icons.tsx';
import type { Tab } from './panel.tsx';

/** A place with an address of its own: a page of the menu, or a tab of one. */
export interface View {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  /** The shortcut that opens it, pressed after `g`. Missing for a tab. */
  readonly key?: string;
  /** The tabs of its page, itself among them; the first is the page of the menu. */
  readonly tabs?: readonly Tab[];
  readonly Page: ComponentType;
  /** The list of its records, if they can be opened by their ids. */
  readonly list?: RecordList<unknown>;
  readonly MenuCount?: ComponentType;
}

export function pageOf({ name, tabs }: View): string {
  return tabs?.[0]?.name ?? name;
}
