import * as z from 'zod';
import { FAULT_RULE, faultMembers, faultProblem } from '../../kernel/faults/fault.ts';
import { badRequest } from '../../kernel/operation/errors.ts';
import type { Host } from '../../kernel/operation/host.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { API_PREFIX, isBelow } from '../../kernel/operation/plane.ts';
import { nearestOperation } from '../../kernel/request/nearest-operation.ts';
import { shorten } from '../../kernel/values/shorten.ts';

const MOST_TIMES = 1_000_000;

const members = {
  method: z
    .string()
    .optional()
    .describe('Method of the operations it acts on; all when left out. GET covers HEAD.'),
  path: z
    .string()
    .optional()
    .describe('Path of the operations it acts on, as a pattern with {id}; all when left out.'),
  ...faultMembers,
  after: z
    .int()
    .min(0)
    .max(MOST_TIMES)
    .default(0)
    .describe('How many matching requests are let through first.'),
  times: z
    .int()
    .min(1)
    .max(MOST_TIMES)
    .optional()
    .describe('How often it acts; until it is deleted when left out.'),
};

const FaultBody = z.object(members).superRefine((given, context) => {
  const message = faultProblem(given);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const FaultView = z.strictObject({
  id: z.string(),
  ...members,
  hits: z.int().describe('How often it has acted.'),
});

const listFaults = operation({
  id: 'faults.list',
  plane: 'control',
  method: 'GET',
  path: '/faults',
  summary: 'List the faults in the order in which they are asked, with how often each has acted',
  fidelity: FAULT_RULE,
  responses: { 200: z.array(FaultView) },
  run: ({ world }) => reply(200, world.faults.list()),
});

const armFault = operation({
  id: 'faults.arm',
  plane: 'control',
  method: 'POST',
  path: '/faults',
  summary: 'Have API requests fail: with a status, a body, late, or without an answer',
  fidelity: FAULT_RULE,
  body: FaultBody,
  responses: { 201: FaultView },
  run({ world, host, body }) {
    return reply(201, world.faults.arm({ ...body, ...checkedTarget(host, body) }));
  },
});

const clearFaults = operation({
  id: 'faults.clear',
  plane: 'control',
  method: 'DELETE',
  path: '/faults',
  summary: 'Take all faults away',
  fidelity: FAULT_RULE,
  responses: { 204: null },
  run({ world }) {
    world.faults.clear();
    return reply(204, null);
  },
});

const removeFault = operation({
  id: 'faults.remove',
  plane: 'control',
  method: 'DELETE',
  path: '/faults/{id}',
  summary: 'Take a fault away',
  fidelity: FAULT_RULE,
  responses: { 204: null },
  run({ world, params }) {
    world.faults.remove(params.id);
    return reply(204, null);
  },
});

interface Target {
  readonly method?: string | undefined;
  readonly path?: string | undefined;
}

/** Method and path as the table has them. Throws a 400 for those that no operation has: such a fault never acts. */
function checkedTarget({ operations }: Host, { method: givenMethod, path: givenPath }: Target): Target {
  const routes = operations.filter(({ plane }) => plane === 'partner');
  const path = givenPath === undefined ? undefined : knownPath(routes, givenMethod, givenPath);
  const method = givenMethod?.toUpperCase();
  if (method === undefined) return { path };
  const methods = new Set(routes.filter(each => path === undefined || each.path === path).map(methodOf));
  if (methods.has(method)) return { method, path };
  const asked = JSON.stringify(shorten(method));
  throw badRequest(
    FAULT_RULE,
    `body.method: ${asked} is no method of ${path ?? 'any operation'}; known are ${[...methods].join(', ')}`,
  );
}

type Routes = readonly { readonly method: string; readonly path: string }[];

function methodOf({ method }: { readonly method: string }): string {
  return method;
}

function knownPath(routes: Routes, method: string | undefined, given: string): string {
  const below = isBelow(given, API_PREFIX) ? given.slice(API_PREFIX.length) : given;
  const known = routes.find(({ path }) => withoutNames(path) === withoutNames(below));
  if (known !== undefined) return known.path;
  const meant = nearestOperation(routes, method?.toUpperCase() ?? 'GET', below);
  const tail =
    meant === null ? '; write it as a pattern such as /partner/cards/{id}' : `; did you mean ${meant}?`;
  throw badRequest(
    FAULT_RULE,
    `body.path: no operation has the path ${JSON.stringify(shorten(given))}${tail}`,
  );
}

/** A pattern with nothing in its braces: how its parameters are called does not matter. */
function withoutNames(pattern: string): string {
  return pattern.replace(/\{[^{}/]*\}/g, '{}');
}

/** Control operations on faults of the API. */
export const faultOperations = [listFaults, armFault, clearFaults, removeFault];
