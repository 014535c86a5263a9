import type { ComponentType } from 'preact';
import type { IconName } from './icons.tsx';

export interface View {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  /** The heading in the menu that it is listed under. */
  readonly group: '' | 'Records' | 'Traffic' | 'Sandbox';
  /** The shortcut that opens it, pressed after `g`. */
  readonly key: string;
  readonly Page: ComponentType;
  /** Shows one of its records, beside the list and in the inspector. */
  readonly Record?: ComponentType<{ readonly id: string }>;
  /** Shown at the end of its menu entry. */
  readonly MenuCount?: ComponentType;
}
