import { dropLiveKeys, redactText } from '../redaction/redact.ts';
import type { AnyTable, Row } from '../store/table-definition.ts';
import { suggestion } from '../values/nearest.ts';
import type { AssumptionValues } from '../values/setting.ts';
import { shorten } from '../values/text.ts';

/** The ids of the register of assumptions, which adds them by module augmentation (`src/service/assumptions/register.ts`). */
/* biome-ignore lint/suspicious/noEmptyInterface: the register fills it; core does not import the register. */
export interface AssumptionRegister {}

export type AssumptionId = keyof AssumptionRegister;

/** The basis of an operation or a rule: the published interface, or an entry of the register of assumptions. */
export type Fidelity =
  | { readonly kind: 'documented'; readonly section: string }
  | { readonly kind: 'assumed'; readonly id: AssumptionId };

/** Marks a statement of the interface, by its section: `documented('4.1')`. */
export function documented(section: string): Fidelity {
  return { kind: 'documented', section };
}

/** Marks a decision where the interface is silent; `id` is the entry in the register of assumptions. */
export function assumed(id: AssumptionId): Fidelity {
  return { kind: 'assumed', id };
}

/** Names a rule in a log or a record: `interface 4.1`, or `assumption card-moves`. */
export function ruleText(rule: Fidelity): string {
  return rule.kind === 'documented' ? `interface ${rule.section}` : `assumption ${rule.id}`;
}

/** One cause of refusals: its status, the rule behind them, and its id among those of one operation and status. */
export type Cause = Fidelity & { readonly status: number; readonly cause: string };

/** Names a cause of refusals. By default it has the id of the assumption behind it. */
export function cause(status: number, rule: Fidelity, id = causeOf(rule)): Cause {
  return { ...rule, status, cause: id };
}

/** The cause of the 404 about an unknown record of this kind. */
export function unknownRecord(kind: string): Cause {
  return cause(404, assumed('unknown-id'), `unknown-${kind.toLowerCase().replaceAll(' ', '-')}`);
}

/** Returns the id of the cause of a refusal: its own, or the id of the assumption behind it; empty if it has none. */
export function causeOf(rule: Fidelity & { readonly cause?: string }): string {
  return rule.cause ?? (rule.kind === 'assumed' ? rule.id : '');
}

/** The rule behind every fault and every refusal of one. */
export const FAULT_RULE = assumed('faults');

/** Marks a field or parameter of a schema as assumed: `z.string().meta(assumedField('card-status-parameter'))`. */
export function assumedField(id: AssumptionId) {
  return { 'x-fidelity': 'assumed', 'x-assumption': id } as const;
}

/** Marks a field of a schema whose form a setting decides. */
export function followsSetting(name: keyof AssumptionValues) {
  return { 'x-setting': name } as const;
}

/** Marks single values of an enumeration as assumed: `z.enum(SOURCES).meta(assumedValues({ idp2: 'idp2-variant' }))`. */
export function assumedValues(values: Readonly<Record<string, AssumptionId>>) {
  return { 'x-assumed-values': values } as const;
}

export interface Refusal {
  readonly message: string;
  readonly rule: Fidelity;
}

/** Finds rows in the tables of a world. */
export interface TableLookup {
  anyTable(definition: AnyTable): {
    get(id: string): Row | undefined;
    find(index: string, key: string): Row | undefined;
    all(): Iterable<Row>;
  };
}

/** What a request named and its world does not have. */
export interface Missing {
  /** What it is, for messages: `card card_1`. */
  readonly subject: string;
  isIn(world: TableLookup): boolean;
}

/** The members of a structured error (interface section 7.2): a stable code and its members. */
export interface ErrorDetails {
  readonly code: string;
  readonly [member: string]: string;
}

/**
 * A refused request; domain code throws only `ApiError`. The message names the input, the state and the remedy, with
 * keys and card numbers masked. `rule` is the decision behind the refusal, for the journal and the log. With `details`
 * the response has the structured body of interface section 7.2, without them the simple one of 7.1.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly rule: Fidelity;
  readonly details: ErrorDetails | null;
  readonly headers: Readonly<Record<string, string>>;
  /** What the caller may have meant, for the journal only; null for nothing to add. */
  readonly hint: string | null;
  /** What was not found, where another world may have it; null for other refusals. */
  readonly missing: Missing | null;
  /** Whether the input alone is refused, under a rule of its own. */
  readonly isInvalidInput: boolean;

  constructor(
    status: number,
    rule: Fidelity,
    message: string,
    extra: {
      details?: ErrorDetails;
      headers?: Readonly<Record<string, string>>;
      hint?: string | null;
      missing?: Missing | null;
      isInvalidInput?: boolean;
    } = {},
  ) {
    // The message repeats input, and callers log it.
    super(redactText(dropLiveKeys(message)));
    this.status = status;
    this.rule = rule;
    this.details = extra.details ?? null;
    this.headers = extra.headers ?? {};
    this.hint = extra.hint ?? null;
    this.missing = extra.missing ?? null;
    this.isInvalidInput = extra.isInvalidInput ?? false;
  }

  /** The JSON body of the response (interface section 7). */
  get body(): { success: false; error: string | Record<string, string> } {
    if (this.details === null) return { success: false, error: this.message };
    const { code, ...members } = this.details;
    return { success: false, error: { code, message: this.message, ...members } };
  }
}

/** A 400, refused under `rule`. */
export function badRequest(rule: Fidelity, message: string): ApiError {
  return new ApiError(400, rule, message);
}

/** A 400 for input that breaks a rule of its own, whatever state the records are in, with what the journal says about it. */
export function invalidInput(
  rule: Fidelity,
  message: string,
  hint: string | null = null,
  missing: Missing | null = null,
): ApiError {
  return new ApiError(400, rule, message, { hint, missing, isInvalidInput: true });
}

/** A 404 that names the kind of record and the id, and suggests the nearest of the `known` ids if one is close. */
export function notFound(
  kind: string,
  id: string,
  known: Iterable<string> = [],
  journal: { readonly hint?: string; readonly missing?: Missing } = {},
): ApiError {
  const message = `no ${kind} with id ${JSON.stringify(shorten(id))}${suggestion(id, known)}`;
  return new ApiError(404, unknownRecord(kind), message, journal);
}
