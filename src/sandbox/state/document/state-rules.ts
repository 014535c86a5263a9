import type { RowRule } from '../../../core/store/row-rule.ts';
import type { AnyTable } from '../../../core/store/table-definition.ts';
import type { TimerRule } from '../../../core/time/timer-rule.ts';

/** What state documents consist of, and what they are checked against. */
export interface StateRules {
  /** Every table, by its name in documents. */
  readonly tables: Readonly<Record<string, AnyTable>>;
  /** The current names of tables that had another name in earlier versions. */
  readonly renamedTables: Readonly<Record<string, string>>;
  readonly rowRules: readonly RowRule[];
  /** Every kind of timer, with the rows that wait for one. */
  readonly timers: Readonly<Record<string, TimerRule>>;
  /** Converts a document of an earlier version to the current one. Returns anything else unchanged. */
  readonly upgrade: (document: unknown) => unknown;
}
