import type { IconName } from '../ui/icons.tsx';

/** Something that the palette offers. */
export interface Option {
  /** Unique among all options. */
  readonly id: string;
  readonly label: string;
  /** A second text, such as an id. It is searched as well. */
  readonly detail: string;
  readonly group: 'Pages' | 'Records' | 'Traffic' | 'Operations' | 'Actions';
  readonly icon: IconName;
  readonly run: () => void;
}
