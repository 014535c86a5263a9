import { errorMessage } from '../../../client/http.ts';
import type { Exchange } from '../../evidence.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a value as a JSON object; an empty one for anything else. */
export function objectOf(value: unknown): JsonObject {
  // An object that is not an array has members with string names.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** Returns a member of a JSON object as a text; an empty one when it is none. */
export function textOf(value: unknown, name: string): string {
  const member = objectOf(value)[name];
  return typeof member === 'string' ? member : '';
}

/** Returns the items of a page; none for any other body. */
export function itemsOf({ body }: Exchange): readonly JsonObject[] {
  const { data } = objectOf(body);
  return Array.isArray(data) ? data.map(objectOf) : [];
}

/** Returns the total of a page, or null for any other body. */
export function totalOf({ body }: Exchange): number | null {
  const { total } = objectOf(body);
  return typeof total === 'number' ? total : null;
}

/** Whether a response refuses the input: services differ in the status. */
export function isInvalid({ status }: Exchange): boolean {
  return status === 400 || status === 422;
}

/** Whether a request succeeded. */
export function isOk({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

/** The message of an error body (interface section 7), simple or structured; an empty text for any other. */
export function messageOf({ body }: Exchange): string {
  return errorMessage(body) ?? '';
}

/** Whether an object has exactly these members. */
export function hasExactly(value: unknown, names: readonly string[]): boolean {
  const own = Object.keys(objectOf(value));
  return own.length === names.length && names.every(name => own.includes(name));
}

/** Whether an object has all of these members. */
export function hasAll(value: unknown, names: readonly string[]): boolean {
  const object = objectOf(value);
  return names.every(name => name in object);
}

/** The members of `names` that an object lacks, for a message. */
export function missingOf(value: unknown, names: readonly string[]): string {
  const object = objectOf(value);
  return names.filter(name => !(name in object)).join(', ');
}
