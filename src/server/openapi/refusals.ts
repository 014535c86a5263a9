import * as z from 'zod';
import type { DeclaredError, Operation } from '../../core/operation/operation.ts';
import type { AssumptionValues } from '../../core/values/setting.ts';
import type { Components, Json } from './components.ts';
import type { Examples } from './examples.ts';
import { headersFor } from './headers.ts';

const SimpleError = z
  .strictObject({
    success: z.literal(false),
    error: z.string().describe('What is wrong, and how to correct it.'),
  })
  .meta({ id: 'SimpleError', description: 'The body of every error except the structured ones.' });

const BAD_REQUEST: DeclaredError = {
  status: 400,
  when: 'A parameter or the body breaks a rule, or the state of a record forbids it. The message names the rule.',
};
const INTERNAL_ERROR: DeclaredError = { status: 500, when: 'A bug in the sandbox.' };

/** The refusals that any operation of a plane may return, by their names in the document. */
export type Refusals = Readonly<Record<string, DeclaredError>>;

const SHARED: Readonly<Record<Operation['plane'], Refusals>> = {
  partner: {
    BadRequest: BAD_REQUEST,
    Unauthorized: {
      status: 401,
      when: "The API key is missing, unknown, expired or a live one, or the caller's address is not allowed.",
    },
    NotFound: {
      status: 404,
      when: 'No record has this id. With --documented-only, also the response of every assumed operation.',
    },
    RateLimited: {
      status: 429,
      when: 'The rate limit of the key is exceeded; Retry-After says how long to wait.',
    },
    InternalError: INTERNAL_ERROR,
  },
  control: {
    BadRequest: BAD_REQUEST,
    Unauthorized: {
      status: 401,
      when: 'The control plane needs a token, and it is missing or wrong.',
    },
    Forbidden: {
      status: 403,
      when: "The Origin is not the sandbox's own, or the request is cross-site or a webhook.",
    },
    NotFound: { status: 404, when: 'No record has this id.' },
    InternalError: INTERNAL_ERROR,
  },
};

export function refusalsOf(plane: Operation['plane'], values: AssumptionValues): Refusals {
  const shared = SHARED[plane];
  const isInputApart = values['invalid-input-status'] === 422;
  const isAddressApart = values['allow-list-status'] === 403;
  return {
    ...shared,
    ...(isInputApart && {
      BadRequest: { status: 400, when: 'The state of a record forbids it. The message says why.' },
      InvalidInput: { status: 422, when: 'A parameter or the body breaks a rule. The message names it.' },
    }),
    ...(isAddressApart && {
      Unauthorized: { status: 401, when: 'The API key is missing, unknown, expired or a live one.' },
      Forbidden: { status: 403, when: "The caller's address is not allowed." },
    }),
  };
}

export function sharedResponses(
  plane: Operation['plane'],
  refusals: Refusals,
  components: Components,
  examples: Examples,
): Record<string, Json> {
  const named = Object.entries(refusals).map(([name, error]) => [
    name,
    response(plane, error, components, examples.ofStatus(plane, error.status)),
  ]);
  return Object.fromEntries(named);
}

export function refusalResponses(
  operation: Operation,
  refusals: Refusals,
  components: Components,
  examples: Examples,
): Record<string, Json> {
  const { id, plane, path, fidelity, errors } = operation;
  const mayBeMissing =
    path.includes('{') || (plane === 'partner' ? fidelity.kind === 'assumed' : namesPartner(operation));
  const responses: Record<string, Json> = {};
  for (const [name, { status }] of Object.entries(refusals)) {
    if (status !== 404 || mayBeMissing) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  for (const error of errors) {
    const shared = Object.values(refusals).find(({ status }) => status === error.status);
    const when =
      shared === undefined || responses[error.status] === undefined
        ? error.when
        : `${error.when} ${shared.when}`;
    const shown = examples.responses(id, error.status);
    responses[error.status] = response(plane, { ...error, when }, components, shown);
  }
  return responses;
}

function namesPartner({ query, body }: Operation): boolean {
  return [query, body].some(schema => schema instanceof z.ZodObject && 'partnerId' in schema.shape);
}

function response(
  plane: Operation['plane'],
  { status, when, body }: DeclaredError,
  components: Components,
  shown: Json,
): Json {
  const content = { schema: components.schema(body ?? SimpleError, 'output'), ...shown };
  const headers = headersFor(plane, status);
  return {
    description: when,
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { 'application/json': content },
  };
}
