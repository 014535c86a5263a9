import type { AnyTable } from '../../../core/store/table-definition.ts';
import { describeIssue } from '../../../core/values/schemas/validation-messages.ts';
import { StateTimer } from '../../../core/world/document-schema.ts';
import { type JsonPath, JsonSplitter, type JsonVisitor } from './json-splitter.ts';
import { ParsedRows } from './parsed-rows.ts';
import { ENOUGH_PROBLEMS, pathText } from './state-error.ts';

/** A parsed state document, of any version and valid or not. */
export interface ParsedState {
  /** The document; the lists of its tables are `ParsedRows`s, and those of its timers that are not valid are missing. */
  readonly value: unknown;
  /** What is wrong with those timers. */
  readonly timerProblems: readonly string[];
}

/** Parses a state document that arrives in pieces. Rows and timers are checked by their schemas one by one. */
export class StateParser {
  readonly #tableOf: (name: string) => AnyTable | undefined;
  readonly #splitter: JsonSplitter;
  readonly #timerProblems: string[] = [];
  /** The members of the objects that are entered: the document, its clock and its tables. */
  readonly #members = new Map<string | number, unknown>();
  #clock = new Map<string | number, unknown>();
  #tables = new Map<string | number, unknown>();
  #timers: unknown[] = [];
  #rows = new ParsedRows(undefined);
  /** The text when it is not an object. */
  #other: unknown;

  /** `tableOf` returns the table with this name in documents of any version, or undefined for a name that none has. */
  constructor(tableOf: (name: string) => AnyTable | undefined) {
    this.#tableOf = tableOf;
    const visitor: JsonVisitor = {
      enters: (path, isList) => this.#enters(path, isList),
      value: (path, value) => this.#add(path, value),
    };
    this.#splitter = new JsonSplitter(visitor);
  }

  /** Takes the next piece of the document. Throws a StateSyntaxError. */
  write(bytes: Uint8Array): void {
    this.#splitter.write(bytes);
  }

  /** Returns the document once it is complete. Throws a StateSyntaxError when it is not. */
  end(): ParsedState {
    this.#splitter.end();
    const members = Object.fromEntries(
      [...this.#members].map(([name, value]) => [
        name,
        value instanceof Map ? Object.fromEntries(value) : value,
      ]),
    );
    return { value: this.#other ?? members, timerProblems: this.#timerProblems };
  }

  /** Enters the document, its clock, its tables and their lists. A repeated member replaces the one before it. */
  #enters([first, second, ...rest]: JsonPath, isList: boolean): boolean {
    if (first === undefined) return !isList;
    if (second === undefined) {
      if (isList || (first !== 'clock' && first !== 'tables')) return false;
      const members = new Map<string | number, unknown>();
      if (first === 'clock') this.#clock = members;
      else this.#tables = members;
      this.#members.set(first, members);
      return true;
    }
    if (!isList || rest.length > 0) return false;
    if (first === 'tables') {
      this.#rows = new ParsedRows(this.#tableOf(String(second)));
      this.#tables.set(second, this.#rows);
      return true;
    }
    if (second !== 'timers') return false;
    this.#timers = [];
    this.#timerProblems.length = 0;
    this.#clock.set(second, this.#timers);
    return true;
  }

  #add([first, second, index]: JsonPath, value: unknown): void {
    if (first === undefined) this.#other = value;
    else if (second === undefined) this.#members.set(first, value);
    else if (index === undefined) (first === 'clock' ? this.#clock : this.#tables).set(second, value);
    else if (first === 'clock') this.#addTimer(Number(index), value);
    else this.#rows.add(value);
  }

  #addTimer(index: number, timer: unknown): void {
    const result = StateTimer.safeParse(timer, { error: describeIssue });
    if (result.success) {
      this.#timers.push(timer);
      return;
    }
    for (const { path, message } of result.error.issues) {
      if (this.#timerProblems.length === ENOUGH_PROBLEMS) return;
      this.#timerProblems.push(`${pathText(['clock', 'timers', index, ...path])}: ${message}`);
    }
  }
}
