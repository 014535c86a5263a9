import { dropLiveKeys, redactText } from '../journal/redact.ts';
import { suggestion } from '../values/nearest.ts';
import { shorten } from '../values/shorten.ts';

/** The ids of the register of assumptions, which adds them by module augmentation (`src/sandbox/assumptions/register.ts`). */
/* biome-ignore lint/suspicious/noEmptyInterface: the register fills it; the kernel does not import the register. */
export interface AssumptionRegister {}

/** The id of an entry in the register of assumptions. */
export type AssumptionId = keyof AssumptionRegister;

/** On whose authority an operation exists or a rule decides: the published interface, or our register of assumptions. */
export type Fidelity =
  | { readonly kind: 'documented'; readonly section: string }
  | { readonly kind: 'assumed'; readonly id: AssumptionId };

/** Marks what the interface itself states, in the given section, for example `documented('4.1')`. */
export function documented(section: string): Fidelity {
  return { kind: 'documented', section };
}

/** Marks what the interface leaves open; `id` is the entry in the register of assumptions that decides it. */
export function assumed(id: AssumptionId): Fidelity {
  return { kind: 'assumed', id };
}

/** Marks a field or parameter of a schema as assumed: `z.string().meta(assumedField('filter-names'))`. */
export function assumedField(id: AssumptionId) {
  return { 'x-fidelity': 'assumed', 'x-assumption': id } as const;
}

/** Why something is refused, in words, and the decision behind it. */
export interface Refusal {
  readonly message: string;
  readonly rule: Fidelity;
}

/** The members of a structured error (interface section 7.2): a stable code, and what the code brings along. */
export interface ErrorDetails {
  readonly code: string;
  readonly [member: string]: string;
}

/**
 * The only error that crosses the domain. Its message says what was asked, what is so, and what to do, with keys and
 * card numbers masked; `rule` says which decision refused it, for the journal and the log. With `details` the answer
 * has the structured body of interface section 7.2, without them the simple one of 7.1.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly rule: Fidelity;
  readonly details: ErrorDetails | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    rule: Fidelity,
    message: string,
    extra: { details?: ErrorDetails; headers?: Readonly<Record<string, string>> } = {},
  ) {
    // It repeats what was sent, and callers write it into logs of theirs.
    super(redactText(dropLiveKeys(message)));
    this.status = status;
    this.rule = rule;
    this.details = extra.details ?? null;
    this.headers = extra.headers ?? {};
  }

  /** The JSON body of the answer, as interface section 7 shapes it. */
  get body(): { success: false; error: string | Record<string, string> } {
    if (this.details === null) return { success: false, error: this.message };
    const { code, ...members } = this.details;
    return { success: false, error: { code, message: this.message, ...members } };
  }
}

/** A 400: the request is understood and refused under `rule`. */
export function badRequest(rule: Fidelity, message: string): ApiError {
  return new ApiError(400, rule, message);
}

/** A 404 that names the kind of record, the id that was asked for, and the one of `known` that was meant perhaps. */
export function notFound(kind: string, id: string, known: Iterable<string> = []): ApiError {
  const message = `no ${kind} with id ${JSON.stringify(shorten(id))}${suggestion(id, known)}`;
  return new ApiError(404, assumed('unknown-id'), message);
}
