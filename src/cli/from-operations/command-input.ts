import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import type { ClientCall } from '../../client/client.ts';
import { describeIssue } from '../../kernel/request/validation-messages.ts';
import { suggestion } from '../../kernel/values/nearest.ts';
import { givenFor, kebab, parse } from './member-flags.ts';
import { type Member, membersOf } from './members.ts';
import type { Operation, Plan } from './plan.ts';

/** A flag, and the members of which operations it stands for. */
export interface Flag {
  readonly member: Member;
  readonly option: Option;
  readonly operations: readonly Operation[];
}

/** Whether a member belongs into an operation's body, rather than its query. */
export function isInBody({ path }: Member, operation: Operation): boolean {
  return membersOf(operation.body).some(member => member.path.join('.') === path.join('.'));
}

/** What a command was given, and the request that it makes. */
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
      const value = givenFor(command, flag.option);
      if (value !== undefined) this.#values.set(flag, value);
    }
    for (const [index, name] of plan.members.entries()) this.#takeArgument(name, plan.params.length + index);
    const text = command.opts<{ body?: string }>().body;
    this.#body = takesBody && text !== undefined ? this.#jsonObject(text, '--body') : null;
  }

  /** The file that the command reads or writes; undefined when none is named. */
  file(): string | undefined {
    return this.#plan.alias.file === undefined ? undefined : this.#command.args[this.#plan.params.length];
  }

  /** The operation that what was given asks for. */
  chosen(): Operation {
    const { operation, twin, alias } = this.#plan;
    const decisive = alias.with?.insteadFor;
    const isTwin = [...this.#values.keys()].some(({ member }) => member.path[0] === decisive);
    const chosen = twin !== null && decisive !== undefined && isTwin ? twin : operation;
    const stray = [...this.#values.keys()].find(({ operations }) => !operations.includes(chosen));
    if (stray !== undefined) {
      const other = chosen === twin ? `does not go with --${decisive}` : `needs --${decisive}`;
      this.#command.error(`error: option '${stray.option.flags}' ${other}`);
    }
    return chosen;
  }

  /** The call of an operation. Ends with wrong usage when something that it needs was not given. */
  request(operation: Operation): ClientCall {
    const names = this.#plan.params;
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(this.#command.args[names.indexOf(name)] ?? ''),
    );
    const call = { method: operation.method, path };
    if (this.#plan.alias.file === 'read') {
      return { ...call, body: this.#jsonObject(`@${this.file()}`, 'the file') };
    }
    this.#checkRequired(operation);
    const query: Record<string, string> = {};
    const body: Record<string, unknown> = structuredClone(this.#body) ?? {};
    for (const [{ member }, value] of this.#values) {
      if (isInBody(member, operation)) setAt(body, member, value);
      else query[member.path.join('.')] = String(value);
    }
    this.#checkKnown(body, [], membersOf(operation.body));
    this.#checkForm(operation, query, body);
    return Object.keys(body).length === 0 ? { ...call, query } : { ...call, query, body };
  }

  #takeArgument(name: string, index: number): void {
    const text = this.#command.args[index];
    if (text === undefined) return;
    const flag = this.#flags.find(({ member }) => member.path.join('.') === name);
    if (flag === undefined) throw new Error(`no member ${name}`);
    const shown = `command-argument value '${text}' is invalid for argument '${kebab(name)}'`;
    if (this.#values.has(flag)) this.#command.error(`error: ${shown}. It is given as --${kebab(name)} too.`);
    try {
      this.#values.set(flag, parse(flag.member, text));
    } catch (error) {
      if (error instanceof InvalidArgumentError) this.#command.error(`error: ${shown}. ${error.message}`);
      throw error;
    }
  }

  #checkRequired(operation: Operation): void {
    if (this.#body !== null) return;
    for (const flag of this.#flags) {
      const { member, option, operations } = flag;
      if (!member.isRequired || !operations.includes(operation) || this.#values.has(flag)) continue;
      const isArgument = this.#plan.members.includes(member.path.join('.'));
      const what = isArgument
        ? `missing required argument '${kebab(member.path.join('-'))}'`
        : `required option '${option.flags}' not specified`;
      this.#command.error(`error: ${what}`);
    }
  }

  /** A text that the operation cannot read is wrong usage. Whether what it asks for can be done, the sandbox knows. */
  #checkForm(operation: Operation, query: unknown, body: unknown): void {
    const problems = [...problemsOf(operation.query, query), ...problemsOf(operation.body, body)];
    for (const [{ member, option }, value] of this.#values) {
      const name = member.path.join('.');
      const problem = problems.find(({ path }) => path.join('.') === name);
      if (problem === undefined || member.kind !== 'text') continue;
      const what =
        givenFor(this.#command, option) === undefined
          ? `command-argument value '${value}' is invalid for argument '${kebab(name)}'`
          : `option '${option.flags}' argument '${value}' is invalid`;
      this.#command.error(`error: ${what}. It ${problem.message}.`);
    }
  }

  /** Unknown members would be ignored by the sandbox, with a hint that comes too late. */
  #checkKnown(value: unknown, path: readonly string[], members: readonly Member[]): void {
    const below = members.filter(member => path.every((name, index) => member.path[index] === name));
    if (typeof value !== 'object' || value === null || below.some(each => each.path.length === path.length))
      return;
    const known = [...new Set(below.map(member => member.path[path.length] ?? ''))];
    for (const [name, member] of Object.entries(value)) {
      if (!known.includes(name)) {
        const where = ['body', ...path, name].join('.');
        this.#command.error(
          `error: ${where} is unknown${suggestion(name, known) || `; known are ${known.join(', ')}`}`,
        );
      }
      this.#checkKnown(member, [...path, name], members);
    }
  }

  #jsonObject(given: string, what: string): Record<string, unknown> {
    const source = given.startsWith('@') ? given.slice(1) : null;
    const text = source === null ? given : readText(source);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      value = undefined;
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    const name = source === null ? what : `${what} ${JSON.stringify(source)}`;
    if (source !== null) throw new Error(`${name} does not hold a JSON object`);
    return this.#command.error(`error: ${name} must be a JSON object, or @FILE with one`);
  }
}

function problemsOf(schema: Operation['body'], value: unknown) {
  return schema.safeParse(value, { error: describeIssue }).error?.issues ?? [];
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new Error(`${file} cannot be read (${code})`);
  }
}

function setAt(body: Record<string, unknown>, { path, kind }: Member, value: unknown): void {
  if (kind !== 'pairs') {
    place(body, path, value);
    return;
  }
  // The parser of this kind returns a list of names with their values.
  for (const [name, each] of value as [string, unknown][]) place(body, [...path, ...name.split('.')], each);
}

function place(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    Object.defineProperty(body, name, { value, enumerable: true, writable: true, configurable: true });
    return;
  }
  const inner = Object.hasOwn(body, name) ? body[name] : undefined;
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  Object.defineProperty(body, name, { value: next, enumerable: true, writable: true, configurable: true });
  place(next, rest, value);
}
