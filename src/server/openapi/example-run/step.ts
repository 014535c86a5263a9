/** Returns the body of the last response of an operation in the run. */
export type LastBody = (operation: string) => unknown;

/** One request of the example run. It becomes an example of its operation, and of the status of its response. */
export interface Step {
  /** Id of the operation in the table. */
  readonly operation: string;
  /** The summary of the example. A step without it only prepares later steps, and is not shown. */
  readonly summary?: string;
  readonly params?:
    | Readonly<Record<string, string>>
    | ((lastBody: LastBody) => Readonly<Record<string, string>>);
  readonly query?: string;
  readonly body?: unknown;
  /** Sends no API key. */
  readonly anonymous?: true;
}

/** A member of a response body, as text. */
export function memberOf(body: unknown, name: string): string {
  // Steps know which bodies they refer to; a wrong name gives a step that the tests reject.
  return String((body as Record<string, unknown> | undefined)?.[name]);
}

/** A period that contains the example run, for the query of lists. */
export const PERIOD = 'from=2026-01-01T00:00:00.000Z&to=2026-12-31T23:59:59.999Z';
