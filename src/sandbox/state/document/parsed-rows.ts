import type { AnyTable, Row } from '../../../core/store/table-definition.ts';
import { describeIssue } from '../../../core/values/schemas/validation-messages.ts';
import { ENOUGH_PROBLEMS } from './state-error.ts';

/** What is wrong with a row, and where in it. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A value in the list of a table that does not fit the table's schema. */
export class InvalidRow {
  readonly value: unknown;
  readonly issues: readonly Issue[];

  constructor(value: unknown, issues: readonly Issue[]) {
    this.value = value;
    this.issues = issues;
  }
}

/**
 * The list of one table in a state document. Each value is checked by the schema of the table when it is added. What
 * does not fit is kept as long as it may be reported, so that an invalid document takes no memory.
 */
export class ParsedRows {
  readonly rows: (Row | InvalidRow)[] = [];
  readonly #table: AnyTable | undefined;
  #length = 0;
  #invalid = 0;

  /** Without a table, the values are counted only. */
  constructor(table: AnyTable | undefined) {
    this.#table = table;
  }

  /** The number of values in the document. */
  get length(): number {
    return this.#length;
  }

  add(value: unknown): void {
    this.#length += 1;
    if (this.#table === undefined) return;
    const result = this.#table.row().safeParse(value, { error: describeIssue });
    if (result.success) {
      // The schema has checked it. Its output is not used because rows keep the order of their members.
      this.rows.push(value as Row);
    } else if (this.#invalid < ENOUGH_PROBLEMS) {
      this.#invalid += 1;
      this.rows.push(new InvalidRow(value, result.error.issues));
    }
  }
}
