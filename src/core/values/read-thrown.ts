import { inspect } from 'node:util';
import { isError } from './is-error.ts';

/** What was thrown, as texts. */
interface Thrown {
  readonly message: string;
  /** The message after the name of the error, if it is one. */
  readonly title: string;
  /** Empty if it has none. */
  readonly stack: string;
}

/** Reads what was thrown, which may be any value. Reading one of code that is not ours may throw, too. */
export function readThrown(thrown: unknown): Thrown {
  try {
    if (!isError(thrown)) return withoutStack(textOf(thrown));
    const message = textOf(thrown.message);
    return { message, title: `${thrown.name}: ${message}`, stack: String(thrown.stack ?? '') };
  } catch {
    return withoutStack('a value that cannot be read');
  }
}

/** Returns the message of an error, or anything else that was thrown as a text. */
export function messageOf(error: unknown): string {
  return readThrown(error).message;
}

function withoutStack(text: string): Thrown {
  return { message: text, title: text, stack: '' };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value);
}
