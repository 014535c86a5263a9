import type { ComponentType } from 'preact';
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
  /** Shown at the end of its menu entry. */
  readonly MenuCount?: ComponentType;
}

/** Returns the name of the page of the menu to which a view belongs. */
export function pageOf({ name, tabs }: View): string {
  return tabs?.[0]?.name ?? name;
}
