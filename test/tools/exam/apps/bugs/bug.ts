/** A planted defect: one replacement in the source of a sample app. */
export interface Bug {
  readonly id: string;
  /** File of the app. */
  readonly file: string;
  /** Text that occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}
