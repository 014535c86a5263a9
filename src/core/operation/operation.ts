import * as z from 'zod';
import type { Partner } from '../access/partners.ts';
import type { Content, Stream } from '../request/http.ts';
import type { Plane } from '../values/plane.ts';
import { compiled } from '../values/schemas/compiled.ts';
import type { World } from '../world/world.ts';
import type { WorldState } from '../world/world-state.ts';
import type { Cause, Fidelity } from './errors.ts';

/** The parameters of a path: each name in braces, with its value. */
type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<Rest>
  : unknown;

type Responses = Readonly<Record<number, z.ZodType | null>>;

/** A refusal of one operation, besides those of its whole plane. */
export interface DeclaredError {
  readonly status: number;
  /** The condition, as one sentence for the documentation. */
  readonly when: string;
  /** Schema of the body where it is a structured one (interface section 7.2). */
  readonly body?: z.ZodType;
}

/** A reply with a status that the operation declares, and the body of that status. */
export type Reply<R extends Responses> = {
  [Status in keyof R & number]: {
    readonly status: Status;
    readonly body: R[Status] extends z.ZodType ? z.input<R[Status]> : null;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof R & number];

/**
 * Returns the origin for the links of a response: the origin of the caller's request, which can be another one than the sandbox
 * listens on. Nothing that is stored has it, because another caller may read it.
 */
type LinkOrigin = () => string;

/** The context of a running operation: the world, and the calling partner or the host of the control plane. */
type ContextOf<P extends Plane> = P extends 'partner'
  ? { readonly state: WorldState; readonly partner: Partner; readonly linkOrigin: LinkOrigin }
  : {
      readonly state: WorldState;
      readonly world: World;
      readonly linkOrigin: LinkOrigin;
      /** Aborted when the caller no longer waits for the response. */
      readonly signal: AbortSignal;
      /** Called when a call begins that has waited for others: the history takes note of the world of that moment. */
      readonly onBegin: () => void;
    };

/** Whose input hints are about. */
export interface HintContext {
  readonly state: WorldState;
  readonly partner: Partner;
  /** Returns the id of the first other world of which something holds, or null. */
  otherWorld(holds: (state: WorldState) => boolean): string | null;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

interface Definition<
  P extends Plane,
  Path extends string,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends Responses,
> {
  /** Stable id, `resource.verb`, as in the journal and in OpenAPI. */
  readonly id: string;
  readonly plane: P;
  readonly method: Method;
  /** Path below the prefix of the plane, with `{name}` for parameters. */
  readonly path: Path;
  readonly summary: string;
  readonly fidelity: Fidelity;
  readonly query?: Q;
  readonly body?: B;
  /** The maximum size of the body in bytes. Control plane only. Default: 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Whether a web page may call it only from a local origin or from the sandbox's own. Default: false. */
  readonly trustedPagesOnly?: boolean;
  /** Whether an operation of the control plane never needs the control token. Default: false. */
  readonly isPublic?: boolean;
  /** Whether the history records it, because it changes a world. Default: whether its method is not GET. */
  readonly isRecorded?: boolean;
  /** Schema of the response body for each success status; null for a response without a body. */
  readonly responses: R;
  /** The media type of a success response whose body has no schema. Control plane only. */
  readonly mediaType?: string;
  /** Headers that a success response can have, by their names in the OpenAPI document. Control plane only. */
  readonly responseHeaders?: readonly string[];
  /** Hints for the journal about valid input, such as a filter that can match nothing. Operations of partners only. */
  readonly hints?: (
    input: { readonly query: z.output<Q>; readonly body: z.output<B> },
    caller: HintContext,
  ) => readonly string[];
  /** Refusals of this operation. Those of its whole plane (400, 401, 404 for a path with an id, …) are not repeated. */
  readonly errors?: readonly DeclaredError[];
  /** The causes of those refusals, each a condition of the coverage. Operations of partners only. */
  readonly causes?: readonly Cause[];
  /** Checks everything, then writes, then emits events. Synchronous for partners, so that each request is atomic. */
  run(
    context: ContextOf<P> & {
      readonly params: ParamsOf<Path>;
      readonly query: z.output<Q>;
      readonly body: z.output<B>;
    },
  ): P extends 'partner' ? Reply<R> : Reply<R> | Promise<Reply<R>>;
}

export interface AnyReply {
  readonly status: number;
  readonly body: unknown;
  /** Headers of the response of a control operation. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Server-sent events, sent instead of a body. */
  readonly stream?: Stream;
  /** The text of the body, sent instead of `body`. */
  readonly content?: string | Content;
}

/** The input of a request, decoded and validated by the operation's schemas. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** The members that all entries of the operation table share. */
interface AnyOperation {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly fidelity: Fidelity;
  readonly query: z.ZodObject;
  readonly body: z.ZodType;
  readonly maxBodyBytes?: number;
  readonly trustedPagesOnly: boolean;
  readonly isPublic: boolean;
  readonly isRecorded: boolean;
  readonly responses: Responses;
  readonly mediaType?: string;
  readonly responseHeaders: readonly string[];
  readonly errors: readonly DeclaredError[];
  readonly causes: readonly Cause[];
}

/** An operation below `/v1`. */
export interface PartnerOperation extends AnyOperation {
  readonly plane: 'partner';
  hints(input: Pick<Input, 'query' | 'body'>, caller: HintContext): readonly string[];
  run(context: ContextOf<'partner'> & Input): AnyReply;
}

/** An operation below `/_sandbox`. It returns a promise if it waits for time. */
export interface ControlOperation extends AnyOperation {
  readonly plane: 'control';
  run(context: ContextOf<'control'> & Input): AnyReply | Promise<AnyReply>;
}

export type Operation = PartnerOperation | ControlOperation;

/** Operations whose paths begin alike. They are read with the first request that may be for one of them. */
export interface OperationGroup<O extends Operation> {
  /** What their paths begin with, in whole segments. */
  readonly paths: readonly string[];
  readonly operations: () => readonly O[];
}

/** The schema of an operation that declares no query or no body: no member is known. */
export const NO_MEMBERS = z.object({});

/** Declares an operation: its route, schemas, fidelity and code. */
export function operation<
  P extends Plane,
  const Path extends string,
  R extends Responses,
  Q extends z.ZodObject = typeof NO_MEMBERS,
  B extends z.ZodType = typeof NO_MEMBERS,
>(definition: Definition<P, Path, Q, B, R>): P extends 'partner' ? PartnerOperation : ControlOperation {
  const declared = {
    ...definition,
    query: definition.query ?? NO_MEMBERS,
    body: definition.body ?? NO_MEMBERS,
    trustedPagesOnly: definition.trustedPagesOnly ?? false,
    isPublic: definition.isPublic ?? false,
    isRecorded: definition.isRecorded ?? definition.method !== 'GET',
    responseHeaders: definition.responseHeaders ?? [],
    errors: definition.errors ?? [],
    causes: definition.causes ?? [],
    hints: (input: { readonly query: z.output<Q>; readonly body: z.output<B> }, caller: HintContext) => [
      ...emptyPeriodHints(input.query as object),
      ...(definition.hints?.(input, caller) ?? []),
    ],
  };
  // The schemas above validate the input before `run` is called, so it has the declared types.
  return declared as unknown as P extends 'partner' ? PartnerOperation : ControlOperation;
}

/** The reply of an operation: `reply(201, card)`. */
export function reply<const Status extends number, Body>(status: Status, body: Body) {
  return { status, body };
}

export function streamReply(stream: Stream) {
  return { status: 200 as const, body: null, stream };
}

/** The reply of an operation that writes the JSON of its body itself, for a large one in pieces. */
export function contentReply(content: string | Content) {
  // The schema of the body describes it to readers. It is not checked.
  return { status: 200 as const, body: null as never, content };
}

/** Checks a reply against the operation's schema for its status, so that no internal field leaks. Throws if it differs. */
export function checkReply(operation: Operation, reply: AnyReply): AnyReply {
  const schema = operation.responses[reply.status];
  if (schema === undefined) throw new Error(`reply ${reply.status} is not declared`);
  if (schema === null || z.validate(compiled(schema), reply.body)) return reply;
  throw new Error(`reply does not match its schema: ${schema.safeParse(reply.body).error?.message}`);
}

/** Hints about bounds of a list, parsed into milliseconds, between which no record can be. */
function emptyPeriodHints({ from, to }: { readonly from?: unknown; readonly to?: unknown }): string[] {
  if (typeof from !== 'number' || typeof to !== 'number' || from < to) return [];
  if (from > to) return ['query.from is later than query.to, so nothing can match'];
  return [
    'query.from and query.to are the same moment, so almost nothing can match; a date is midnight UTC, so end a day with the next date',
  ];
}
