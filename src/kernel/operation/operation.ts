import * as z from 'zod';
import type { Partner } from '../access/partners.ts';
import type { Stream } from '../request/http.ts';
import { MAX_BODY_BYTES } from '../request/input.ts';
import type { World } from '../world/world.ts';
import type { Fidelity } from './errors.ts';
import type { Host } from './host.ts';
import type { Plane } from './plane.ts';

/** The names in the braces of a path, each with the text that stood there. */
type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<Rest>
  : unknown;

type Responses = Readonly<Record<number, z.ZodType | null>>;

/** A refusal that an operation can answer besides those that any operation of its plane can. */
export interface DeclaredError {
  readonly status: number;
  /** The condition, as one sentence for the documents. */
  readonly when: string;
  /** Schema of the body where it is a structured one (interface section 7.2). */
  readonly body?: z.ZodType;
}

/** A status that the operation declares, with the body that its schema describes. */
export type Reply<R extends Responses> = {
  [Status in keyof R & number]: {
    readonly status: Status;
    readonly body: R[Status] extends z.ZodType ? z.input<R[Status]> : null;
  };
}[keyof R & number];

/** What a running operation is given: everyone the world, partners themselves, the control plane its host. */
type ContextOf<P extends Plane> = P extends 'partner'
  ? { readonly world: World; readonly partner: Partner }
  : { readonly world: World; readonly host: Host };

interface Definition<
  P extends Plane,
  Path extends string,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends Responses,
> {
  /** Stable name, `resource.verb`; it names the operation in the journal and in OpenAPI. */
  readonly id: string;
  readonly plane: P;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path below the plane's prefix, with `{name}` for parameters. */
  readonly path: Path;
  readonly summary: string;
  readonly fidelity: Fidelity;
  readonly query?: Q;
  readonly body?: B;
  /** The largest body that is read, in bytes; 1 MiB unless it says otherwise. */
  readonly maxBodyBytes?: number;
  /** Schema of the answer for each status of success; null for an answer without a body. */
  readonly responses: R;
  /** Refusals of its own. What holds for its whole plane (400, 401, 404 for a path with an id, …) is not repeated. */
  readonly errors?: readonly DeclaredError[];
  /** Checks everything, then writes, then emits. Synchronous for partners, so that each call is atomic. */
  run(
    context: ContextOf<P> & {
      readonly params: ParamsOf<Path>;
      readonly query: z.output<Q>;
      readonly body: z.output<B>;
    },
  ): P extends 'partner' ? Reply<R> : Reply<R> | Promise<Reply<R>>;
}

/** What `run` hands back, once the types of the single operation are forgotten. */
export interface AnyReply {
  readonly status: number;
  readonly body: unknown;
  /** Server-sent events that follow, in the place of a body. */
  readonly stream?: Stream;
}

/** What a request brought, decoded and checked by the operation's schemas. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** What all entries of the operation table have, as generators of documents see them. */
interface AnyOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly fidelity: Fidelity;
  readonly query: z.ZodType;
  readonly body: z.ZodType;
  readonly maxBodyBytes: number;
  readonly responses: Responses;
  readonly errors: readonly DeclaredError[];
}

/** An operation below `/v1`. */
export interface PartnerOperation extends AnyOperation {
  readonly plane: 'partner';
  run(context: ContextOf<'partner'> & Input): AnyReply;
}

/** An operation below `/_sandbox`; one that waits for time answers later. */
export interface ControlOperation extends AnyOperation {
  readonly plane: 'control';
  run(context: ContextOf<'control'> & Input): AnyReply | Promise<AnyReply>;
}

/** One entry of the operation table. */
export type Operation = PartnerOperation | ControlOperation;

/** What an operation reads that declares no query, or no body: nothing of what is given. */
export const NO_MEMBERS = z.object({});

/** Declares one operation: its route, its schemas, what it rests on and what it does. */
export function operation<
  P extends Plane,
  const Path extends string,
  R extends Responses,
  Q extends z.ZodType = typeof NO_MEMBERS,
  B extends z.ZodType = typeof NO_MEMBERS,
>(definition: Definition<P, Path, Q, B, R>): P extends 'partner' ? PartnerOperation : ControlOperation {
  const declared = {
    ...definition,
    query: definition.query ?? NO_MEMBERS,
    body: definition.body ?? NO_MEMBERS,
    largestBody: definition.maxBodyBytes ?? MAX_BODY_BYTES,
    errors: definition.errors ?? [],
  };
  // Input is checked by the schemas above before `run` is called, so what it gets has the types it declares.
  return declared as unknown as P extends 'partner' ? PartnerOperation : ControlOperation;
}

/** The answer of an operation: `reply(201, card)`. */
export function reply<const Status extends number, Body>(status: Status, body: Body) {
  return { status, body };
}

/** The answer of an operation that goes on for as long as it is read, as server-sent events. */
export function streamReply(stream: Stream) {
  return { status: 200 as const, body: null, stream };
}
