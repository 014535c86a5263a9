// Generated from the schemas of the operation table by `npm run docs`. Do not edit.

/** What changed a world from outside. */
export interface HistoryEntry {
  readonly id: string;
  readonly plane: 'partner' | 'control' | 'page';
  /** Sandbox time, ISO 8601. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** What it was for, or why it was refused. */
  readonly summary: string;
}

/** The time after a rewind, and the number of entries that it undid. */
export interface Rewound {
  /** Sandbox time, ISO 8601. */
  readonly now: string;
  /** Number of entries that were undone. */
  readonly undone: number;
}
