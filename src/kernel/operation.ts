import { z } from 'zod';
import type { Fidelity } from './errors.ts';
import type { Host } from './host.ts';
import type { Partner } from './partners.ts';
import type { World } from './world.ts';

/** Who an operation is for: partners under `/v1`, or whoever drives the sandbox under `/_sandbox`. */
export type Plane = 'partner' | 'control';

/** The names in the braces of a path, each with the text that stood there. */
type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<Rest>
  : unknown;

type Responses = Readonly<Record<number, z.ZodType | null>>;

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
  /** Schema of the answer for each status of success; null for an answer without a body. */
  readonly responses: R;
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
}

/** One entry of the operation table, as dispatch and every generator of documents see it. */
export interface Operation {
  readonly id: string;
  readonly plane: Plane;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly fidelity: Fidelity;
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
  readonly responses: Responses;
  readonly run: (context: {
    readonly world: World;
    readonly partner?: Partner;
    readonly host?: Host;
    readonly params: Readonly<Record<string, string>>;
    readonly query: unknown;
    readonly body: unknown;
  }) => AnyReply | Promise<AnyReply>;
}

const NO_QUERY = z.object({});

/** Declares one operation: its route, its schemas, what it rests on and what it does. */
export function operation<
  P extends Plane,
  const Path extends string,
  R extends Responses,
  Q extends z.ZodType = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
>(definition: Definition<P, Path, Q, B, R>): Operation {
  return {
    ...definition,
    query: definition.query ?? NO_QUERY,
    body: definition.body ?? null,
    // Dispatch parses with the schemas above before it calls, so the context has the types that run declares.
    run: definition.run as unknown as Operation['run'],
  };
}

/** The answer of an operation: `reply(201, card)`. */
export function reply<const Status extends number, Body>(status: Status, body: Body) {
  return { status, body };
}
