import type { Method } from '../core/operation/operation.ts';
import type { Plane } from '../core/values/plane.ts';
import table from './generated/operations.json' with { type: 'json' };

/** An operation of the sandbox. */
export interface OperationEntry {
  readonly id: string;
  readonly plane: Plane;
  readonly method: Method;
  /** Path below the prefix of the plane, with `{name}` for parameters. */
  readonly path: string;
  readonly summary: string;
  /** The section of the interface that documents it. */
  readonly section?: string;
  /** The id of the assumption that it rests on, where the interface is silent. */
  readonly assumption?: string;
  /** What it takes besides the parameters of its path. */
  readonly inputs: readonly ('body' | 'query')[];
  /** Where an operation of the control plane takes the id of a partner, if it is about one. */
  readonly partnerIn?: 'query' | 'body';
  /** The names of the schemas of its responses, by their status. Only of the API. */
  readonly responses?: Readonly<Record<string, string>>;
}

// TypeScript takes the texts of a JSON file for any text; the generator checks this type.
export const OPERATIONS = table as readonly OperationEntry[];
