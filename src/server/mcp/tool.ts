import type { Client } from '../../client/client.ts';
import { suggestion } from '../../core/values/nearest.ts';

/** The worlds of the client that uses the tools. */
export interface ClientWorlds {
  /** Calls the world that the tools work in. */
  client: Client;
  /** The ids of those that it has created, which end with it. */
  readonly created: Set<string>;
}

export interface ToolContext {
  readonly worlds: ClientWorlds;
  readonly signal?: AbortSignal | undefined;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  /** One or two sentences. */
  readonly description: string;
  /** JSON Schemas of its arguments, by name. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly isReadOnly?: true;
  /** Resolves with the answer. Rejects with a ToolError, or with an error of the client. */
  call(args: ToolArguments, context: ToolContext): Promise<unknown>;
}

/** A refused call of a tool: what is wrong, and what to do instead. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly hint: string;
  /** Further members of the answer, such as the status of the response. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, hint: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.hint = hint;
    this.details = details;
  }
}

/** Throws for arguments that a call does not take, and for required ones that are missing. */
export function checkNames(
  subject: string,
  args: ToolArguments,
  known: readonly string[],
  required: readonly string[],
): void {
  const accepts = known.length === 0 ? 'takes no other arguments' : `takes ${known.join(', ')}`;
  for (const name of Object.keys(args)) {
    if (known.includes(name)) continue;
    throw new ToolError(
      `${subject} has no argument ${JSON.stringify(name)}${suggestion(name, known)}`,
      `${subject} ${accepts}`,
    );
  }
  for (const name of required) {
    if (args[name] !== undefined && args[name] !== null) continue;
    throw new ToolError(
      `the argument ${JSON.stringify(name)} of ${subject} is missing`,
      `${subject} ${accepts}`,
    );
  }
}

/** Returns a text argument, or undefined when it is missing. Throws when it is something else. */
export function textArgument(args: ToolArguments, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  throw new ToolError(`${name}: must be a text, but is ${JSON.stringify(value)}`, `pass ${name} as a string`);
}

/** Returns values as a query or headers have them. Agents pass null for what they leave out. */
export function toTexts(values: readonly [string, unknown][]): Record<string, string> {
  return Object.fromEntries(
    values.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
}
