import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Member } from '../../sandbox/operation-members.ts';

/**
 * Parses a JSON object, or reads it from a file when the text is `@FILE` (`@-` is standard input). Invalid text is wrong
 * usage, an invalid file is an error. `name` stands for the text in messages.
 */
export function parseJsonObject(command: Command, text: string, name: string): Record<string, unknown> {
  const file = text.startsWith('@') ? text.slice(1) : null;
  const json = file === null ? text : readText(file);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    // An object that JSON.parse returned has string keys.
    return value as Record<string, unknown>;
  }
  if (file !== null) throw new Error(`${name} ${JSON.stringify(file)} does not contain a JSON object`);
  return command.error(`error: ${name} must be a JSON object, or @FILE with one`);
}

/** Sets a member of a body, with the objects on the way to it. */
export function setMember(body: Record<string, unknown>, { path, kind }: Member, value: unknown): void {
  if (kind !== 'pairs') {
    setAt(body, path, value);
    return;
  }
  // The parser of this kind returns a list of name-value pairs.
  for (const [name, each] of value as [string, unknown][]) setAt(body, [...path, ...name.split('.')], each);
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new Error(`${file} cannot be read (${code})`);
  }
}

/** Defines properties instead of assigning them, so that a name such as `__proto__` is an ordinary one. */
function setAt(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  const define = (each: unknown) =>
    Object.defineProperty(body, name, { value: each, enumerable: true, writable: true, configurable: true });
  if (rest.length === 0) {
    define(value);
    return;
  }
  const existing = Object.hasOwn(body, name) ? body[name] : undefined;
  // A parsed JSON object has string keys.
  const next = typeof existing === 'object' && existing !== null ? (existing as Record<string, unknown>) : {};
  define(next);
  setAt(next, rest, value);
}
