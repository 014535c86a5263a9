/** Where log lines go, and whether they are JSON for programs or text for people. */
export interface Log {
  readonly isJson: boolean;
  readonly write: (line: string) => void;
}
