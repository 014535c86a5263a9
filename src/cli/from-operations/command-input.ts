import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import type { ClientCall } from '../../client/client.ts';
import { decodeText, EncodingError } from '../../core/values/decode-text.ts';
import { kebab } from '../../core/values/kebab.ts';
import { duplicateKey, duplicateRule } from '../../core/values/parse-json.ts';
import { describeIssue } from '../../core/values/schemas/validation-messages.ts';
import { type Member, membersOf } from '../../sandbox/operation-members.ts';
import type { operations } from '../../sandbox/operations.ts';
import { isRecordText, RECORD_RULE, readTextFile, TextFileError } from '../../sandbox/text-file.ts';
import { errorCode } from '../errors.ts';
import { durationHint } from '../flags.ts';
import type { OperationCommand } from './command-table.ts';
import { optionValue, parse } from './member-flags.ts';

export type Operation = (typeof operations)[number];

export interface Plan {
  readonly words: readonly string[];
  /** Its arguments, in order: parameters of the path, then members of query or body. */
  readonly params: readonly string[];
  readonly members: readonly string[];
  readonly operation: Operation;
  /** A second operation, which is called as well or instead. */
  readonly twin: Operation | null;
  readonly definition: OperationCommand;
}

/** A flag, and the operations whose member it sets. */
export interface Flag {
  readonly member: Member;
  readonly option: Option;
  readonly operations: readonly Operation[];
}

/** Returns whether a member belongs to an operation's body, as opposed to its query. */
export function isInBody({ path }: Member, operation: Operation): boolean {
  return membersOf(operation.body).some(member => member.path.join('.') === path.join('.'));
}

/** The arguments and flags of one call of a command, and the requests they make. Reports mistakes as wrong usage. */
export class CommandInput {
  readonly #command: Command;
  readonly #plan: Plan;
  readonly #flags: readonly Flag[];
  readonly #body: Record<string, unknown> | null;
  readonly #values = new Map<Flag, unknown>();

  constructor(command: Command, plan: Plan, flags: readonly Flag[], takesBody: boolean) {
    this.#command = command;
    this.#plan = plan;
    this.#flags = flags;
    for (const flag of flags) {
      const value = optionValue(command, flag.option);
      if (value !== undefined) this.#values.set(flag, value);
    }
    for (const [index, name] of plan.members.entries()) this.#readArgument(name, plan.params.length + index);
    const text = command.opts<{ body?: string }>().body;
    this.#body = takesBody && text !== undefined ? parseJsonObject(command, text, '--body') : null;
  }

  /** Returns the file that the command reads or writes, or undefined when the command line has none. */
  file(): string | undefined {
    return this.#plan.definition.file === undefined
      ? undefined
      : this.#command.args[this.#plan.params.length];
  }

  chosen(): Operation {
    const { operation, twin, definition } = this.#plan;
    const decisive = definition.insteadFor;
    const isTwin = [...this.#values.keys()].some(({ member }) => member.path[0] === decisive);
    const chosen = twin !== null && decisive !== undefined && isTwin ? twin : operation;
    const misplaced = [...this.#values.keys()].find(({ operations }) => !operations.includes(chosen));
    if (misplaced !== undefined) {
      const rule = chosen === twin ? `cannot be used with --${decisive}` : `requires --${decisive}`;
      this.#command.error(`error: option '${misplaced.option.flags}' ${rule}`);
    }
    return chosen;
  }

  request(operation: Operation): ClientCall {
    const names = this.#plan.params;
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = this.#command.args[names.indexOf(name)] ?? '';
      // In a path they would lead elsewhere.
      if (['', '.', '..'].includes(value))
        this.#command.error(`error: ${JSON.stringify(value)} is not a valid ${name}`);
      return encodeURIComponent(value);
    });
    const call = { method: operation.method, path };
    if (this.#plan.definition.file === 'read') {
      return { ...call, body: parseJsonObject(this.#command, `@${this.file()}`, 'the file') };
    }
    this.#checkRequired(operation);
    this.#checkParts();
    const query: Record<string, string> = {};
    const body: Record<string, unknown> = this.#body === null ? {} : JSON.parse(JSON.stringify(this.#body));
    for (const [{ member }, value] of this.#values) {
      if (isInBody(member, operation)) setMember(body, member, value);
      else query[member.path.join('.')] = String(value);
    }
    this.#checkTexts(operation, query, body);
    return Object.keys(body).length === 0 ? { ...call, query } : { ...call, query, body };
  }

  #readArgument(name: string, index: number): void {
    const text = this.#command.args[index];
    if (text === undefined) return;
    const flag = this.#flags.find(({ member }) => member.path.join('.') === name);
    if (flag === undefined) throw new Error(`no member ${name}`);
    const problem = `command-argument value '${text}' is invalid for argument '${kebab(name)}'`;
    if (this.#values.has(flag)) {
      this.#command.error(`error: ${problem}. --${kebab(name)} is set as well.`);
    }
    try {
      this.#values.set(flag, parse(flag.member, text));
    } catch (error) {
      if (error instanceof InvalidArgumentError) this.#command.error(`error: ${problem}. ${error.message}`);
      throw error;
    }
  }

  #checkRequired(operation: Operation): void {
    if (this.#body !== null) return;
    for (const flag of this.#flags) {
      const { member, option, operations } = flag;
      if (!member.isRequired || !operations.includes(operation) || this.#values.has(flag)) continue;
      const isArgument = this.#plan.members.includes(member.path.join('.'));
      const problem = isArgument
        ? `missing required argument '${kebab(member.path.join('-'))}'`
        : `required option '${option.flags}' not specified`;
      this.#command.error(`error: ${problem}`);
    }
  }

  /** Refuses a flag together with one for a part of the same member. */
  #checkParts(): void {
    for (const { member, option } of this.#values.keys()) {
      const part = [...this.#values.keys()].find(
        ({ member: { path } }) =>
          path.length > member.path.length && member.path.every((name, index) => path[index] === name),
      );
      if (part !== undefined) {
        this.#command.error(`error: option '${part.option.flags}' cannot be used with '${option.flags}'`);
      }
    }
  }

  /** Checks texts against the schema, because a malformed text is wrong usage. The sandbox checks everything else. */
  #checkTexts(operation: Operation, query: unknown, body: unknown): void {
    const problems = [...problemsOf(operation.query, query), ...problemsOf(operation.body, body)];
    for (const [{ member, option }, value] of this.#values) {
      const name = member.path.join('.');
      const problem = problems.find(({ path }) => path.join('.') === name);
      if (problem === undefined || member.kind !== 'text') continue;
      const subject =
        optionValue(this.#command, option) === undefined
          ? `command-argument value '${value}' is invalid for argument '${kebab(name)}'`
          : `option '${option.flags}' argument '${value}' is invalid`;
      const hint = problem.message.startsWith('must be a duration') ? durationHint(String(value)) : '';
      this.#command.error(`error: ${subject}. ${hint}It ${problem.message}.`);
    }
  }
}

function problemsOf(schema: Operation['body'], value: unknown) {
  return schema.safeParse(value, { error: describeIssue }).error?.issues ?? [];
}

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
    const duplicate = duplicateKey(json);
    if (duplicate !== null) {
      const rule = duplicateRule(duplicate.key);
      if (file !== null) throw new Error(`${name} ${JSON.stringify(file)} ${rule}`);
      return command.error(`error: ${name} ${rule}`);
    }
    // An object that JSON.parse returned has string keys.
    return value as Record<string, unknown>;
  }
  if (file !== null) {
    const problem = isRecordText(json) ? RECORD_RULE : 'does not contain a JSON object';
    throw new Error(`${name} ${JSON.stringify(file)} ${problem}`);
  }
  return command.error(`error: ${name} must be a JSON object, or @FILE with one`);
}

function setMember(body: Record<string, unknown>, { path, kind }: Member, value: unknown): void {
  if (kind !== 'pairs') {
    setAt(body, path, value);
    return;
  }
  // The parser of this kind returns a list of name-value pairs.
  for (const [name, each] of value as [string, unknown][]) setAt(body, [...path, ...name.split('.')], each);
}

function readText(file: string): string {
  try {
    return file === '-' ? decodeText(readFileSync(0)) : readTextFile(file);
  } catch (error) {
    const isKnown = error instanceof TextFileError || error instanceof EncodingError;
    const reason = isKnown ? error.message : String(errorCode(error));
    throw new Error(`${file === '-' ? 'standard input' : file} cannot be read: ${reason}`);
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
