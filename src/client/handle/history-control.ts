import type { Call } from '../call.ts';
import type { HistoryEntry, Rewound } from '../generated/records.ts';

/** Which entries to export, and how. */
export interface HistoryExport {
  /** A scenario file (the default), an HTTP archive 1.2, or a shell script with curl. */
  readonly format?: 'scenario' | 'har' | 'curl';
  /** Id of the first entry. Default: the oldest. */
  readonly from?: string;
  /** Id of the last entry. Default: the newest. */
  readonly to?: string;
}

/** The history of a world: what changed it from outside, and the way back. */
export interface HistoryControl {
  /** Resolves with the last 1,000 entries, newest first, or with at most `limit` of them. */
  list(filter?: { readonly limit?: number }): Promise<HistoryEntry[]>;
  /** Resolves with the text of the entries in a format. */
  export(options?: HistoryExport): Promise<string>;
  /**
   * Goes back to the state before an entry, which is undone with all later ones, or undoes the last `steps` entries. The
   * state before is kept as checkpoint `before-rewind`.
   */
  rewind(target: { readonly to: string } | { readonly steps: number }): Promise<Rewound>;
}

/** The history of the world behind `call`. */
export function historyControl(call: Call): HistoryControl {
  return {
    list: (filter = {}) => call('GET', '/history', { query: filter }),
    export: (options = {}) => call('GET', '/history/export', { query: options, isText: true }),
    rewind: target => call('POST', '/rewind', { body: target }),
  };
}
