import * as z from 'zod';
import { faultCounts, faultMembers, faultProblem } from '../../core/faults/effect-schema.ts';
import { type Fault, faultsOf } from '../../core/faults/faults.ts';
import { badRequest, FAULT_RULE } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { nearestOperation } from '../../core/values/nearest.ts';
import { API_PREFIX, isBelow } from '../../core/values/plane.ts';
import { shorten } from '../../core/values/text.ts';
import { isoTime, Timestamp, TimestampText } from '../../core/values/timestamp.ts';
import type { World } from '../../core/world/world.ts';
import { webhookFaults } from '../../service/webhooks/faults.ts';
import { faultScope, knownPartner } from '../known-partner.ts';
import { withoutNames } from '../path-pattern.ts';

const members = {
  partnerId: z
    .string()
    .optional()
    .describe('The partner whose requests or deliveries it applies to. Default: all.'),
  method: z
    .string()
    .optional()
    .describe('Method of the operations it applies to. Default: all. GET includes HEAD.'),
  path: z
    .string()
    .optional()
    .describe('Path of the operations it applies to, as a pattern with {id}. Default: all.'),
  ...faultMembers,
  ...faultCounts,
};

const window = {
  from: Timestamp.optional().describe('Moment of the sandbox clock from which on it applies, ISO 8601.'),
  until: Timestamp.optional().describe('Moment of the sandbox clock at which it ends, ISO 8601.'),
};

const FaultBody = z.object({ ...members, ...window }).superRefine((fault, context) => {
  const { from, until } = fault;
  const isEmpty = from !== undefined && until !== undefined && until <= from;
  const message = isEmpty ? 'until must be later than from' : faultProblem(fault);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const FaultView = z.strictObject({
  id: z.string(),
  ...members,
  from: TimestampText.optional(),
  until: TimestampText.optional(),
  hits: z.int().describe('How often it has been applied.'),
});

const listFaults = operation({
  id: 'faults.list',
  plane: 'control',
  method: 'GET',
  path: '/faults',
  summary: 'List the faults in the order in which they are matched, with how often each has been applied',
  fidelity: FAULT_RULE,
  query: faultScope,
  responses: { 200: z.array(FaultView) },
  run({ state, query: { partnerId } }) {
    knownPartner(state, partnerId);
    const found = faultsOf(state)
      .list()
      .filter(fault => partnerId === undefined || fault.partnerId === partnerId);
    return reply(200, found.map(viewFault));
  },
});

const armFault = operation({
  id: 'faults.arm',
  plane: 'control',
  method: 'POST',
  path: '/faults',
  summary: 'Make API requests fail: with a status, a body, a delay, or a dropped connection',
  fidelity: FAULT_RULE,
  body: FaultBody,
  responses: { 201: FaultView },
  run({ state, world, body }) {
    knownPartner(state, body.partnerId);
    return reply(201, viewFault(faultsOf(state).arm({ ...body, ...checkedTarget(world, body) })));
  },
});

const clearFaults = operation({
  id: 'faults.clear',
  plane: 'control',
  method: 'DELETE',
  path: '/faults',
  summary: 'Delete all faults, or all of one partner',
  fidelity: FAULT_RULE,
  query: faultScope,
  responses: { 204: null },
  run({ state, query: { partnerId } }) {
    knownPartner(state, partnerId);
    faultsOf(state).clear(partnerId);
    return reply(204, null);
  },
});

const removeFault = operation({
  id: 'faults.remove',
  plane: 'control',
  method: 'DELETE',
  path: '/faults/{id}',
  summary: 'Delete a fault of the API or of webhooks',
  fidelity: FAULT_RULE,
  responses: { 204: null },
  run({ state, params: { id } }) {
    const ofWebhooks = state.table(webhookFaults);
    if (ofWebhooks.get(id) === undefined) faultsOf(state).remove(id);
    else ofWebhooks.delete(id);
    return reply(204, null);
  },
});

function viewFault({ from, until, ...members }: Fault): z.input<typeof FaultView> {
  return {
    ...members,
    ...(from === undefined ? {} : { from: isoTime(from) }),
    ...(until === undefined ? {} : { until: isoTime(until) }),
  };
}

interface Target {
  readonly method?: string | undefined;
  readonly path?: string | undefined;
}

/** Returns method and path as in the table of operations. Throws a 400 if no operation has them. */
function checkedTarget({ operations }: World, target: Target): Target {
  const routes = operations.filter(({ plane }) => plane === 'partner');
  const path = target.path === undefined ? undefined : knownPath(routes, target.method, target.path);
  const method = target.method?.toUpperCase();
  if (method === undefined) return { path };
  const methods = new Set(
    routes.filter(each => path === undefined || each.path === path).map(each => each.method),
  );
  if (methods.has(method)) return { method, path };
  throw badRequest(
    FAULT_RULE,
    `body.method: ${JSON.stringify(shorten(method))} is not a method of ${path ?? 'any operation'}; known are ${[...methods].join(', ')}`,
  );
}

type Routes = readonly { readonly method: string; readonly path: string }[];

function knownPath(routes: Routes, method: string | undefined, requested: string): string {
  const relative = isBelow(requested, API_PREFIX) ? requested.slice(API_PREFIX.length) : requested;
  const known = routes.find(({ path }) => withoutNames(path) === withoutNames(relative));
  if (known !== undefined) return known.path;
  const nearest = nearestOperation(routes, method?.toUpperCase() ?? 'GET', relative);
  const hint =
    nearest === null ? '; write it as a pattern such as /partner/cards/{id}' : `; did you mean ${nearest}?`;
  throw badRequest(
    FAULT_RULE,
    `body.path: no operation has the path ${JSON.stringify(shorten(requested))}${hint}`,
  );
}

export const faultOperations = [listFaults, armFault, clearFaults, removeFault];
