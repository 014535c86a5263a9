/** What a step can use of earlier answers: the last one of an operation, as it came. */
export type Seen = (operation: string) => unknown;

/** One request of the tour, which becomes an example of its operation and of the status that it gets. */
export interface Step {
  /** Id of the operation in the table. */
  readonly call: string;
  /** Says what the example shows. A step without it is only on the way to others and is not shown. */
  readonly shows?: string;
  readonly params?: Readonly<Record<string, string>> | ((seen: Seen) => Readonly<Record<string, string>>);
  readonly query?: string;
  readonly body?: unknown;
  /** Sends no API key. */
  readonly anonymous?: true;
}

/** A member of an answer, as text. */
export function memberOf(answer: unknown, name: string): string {
  return String((answer as Record<string, unknown> | undefined)?.[name]);
}
