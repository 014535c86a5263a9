import * as z from 'zod';
import { causesOf, refusalKey } from '../../core/journal/coverage.ts';
import { assumed, documented, type Fidelity } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import type { OperationRoute, World } from '../../core/world/world.ts';
import { EVENT_TYPES } from '../../service/webhooks/event-types.ts';
import { describeRule } from './requests.ts';

const RULE = assumed('coverage');

const KINDS = ['operation', 'refusal', 'event', 'other'] as const;

const Condition = z
  .strictObject({
    id: z
      .string()
      .describe('Operation, status and, where one status has several causes, the code or the cause.'),
    kind: z.enum(KINDS).describe('`operation`: a success status of an operation.'),
    section: z
      .string()
      .describe('The section of the interface that states it, or that its assumption fills.'),
    fidelity: z.enum(['documented', 'assumed']),
    count: z.int().describe('How often it was seen.'),
    firstAt: z.string().nullable().describe('Sandbox time of the first time, ISO 8601; null if never.'),
  })
  .meta({ id: 'Condition' });

const Share = z.strictObject({ seen: z.int(), of: z.int() });

const CoverageView = z
  .strictObject({
    conditions: z.array(Condition),
    summary: z.strictObject({
      operations: Share,
      refusals: Share,
      events: Share,
      other: Share,
      documented: Share.describe('The documented conditions of every kind.'),
    }),
  })
  .meta({ id: 'Coverage' });

interface DefinedCondition {
  readonly id: string;
  readonly kind: (typeof KINDS)[number];
  readonly rule: Fidelity;
  readonly counted: readonly [operation: string, key: number | string];
}

const OTHER: Readonly<Record<string, Fidelity>> = {
  'event-retried': documented('6.4'),
  'event-duplicate': assumed('redelivery'),
  'page-beyond-first': documented('8'),
  'rate-limited': documented('8'),
  'key-rotated': documented('5.6'),
};

/** Returns every condition, made from the table of operations and the event types. */
export function conditionsOf(operations: readonly OperationRoute[]): DefinedCondition[] {
  const own = (id: string, kind: 'event' | 'other', rule: Fidelity) =>
    ({ id, kind, rule, counted: ['', id] }) as const;
  return [
    ...operations.filter(({ plane }) => plane === 'partner').flatMap(conditionsOfOperation),
    ...EVENT_TYPES.map(type => own(`event ${type}`, 'event', documented('6.1'))),
    ...Object.entries(OTHER).map(([id, rule]) => own(id, 'other', rule)),
  ];
}

function conditionsOfOperation(each: OperationRoute): DefinedCondition[] {
  const { id, fidelity, responses } = each;
  const causes = causesOf(each);
  return [
    ...Object.keys(responses).map(
      status =>
        ({
          id: `${id} ${status}`,
          kind: 'operation',
          rule: fidelity,
          counted: [id, Number(status)],
        }) as const,
    ),
    ...causes.map(rule => {
      const isOnly = causes.filter(({ status }) => status === rule.status).length === 1;
      const key = refusalKey(rule.status, rule);
      const name = isOnly && !/[A-Z]/.test(rule.cause) ? String(rule.status) : key;
      return { id: `${id} ${name}`, kind: 'refusal', rule, counted: [id, key] } as const;
    }),
  ];
}

export function coverageOf(
  world: Pick<World, 'operations' | 'assumptions' | 'coverage'>,
): z.input<typeof CoverageView> {
  const conditions = conditionsOf(world.operations).map(({ id, kind, rule, counted }) => {
    const { fidelity, section } = describeRule(world, rule);
    const { count = 0, firstAt = null } = world.coverage.sighting(...counted) ?? {};
    return { id, kind, section, fidelity, count, firstAt };
  });
  return { conditions, summary: summaryOf(conditions) };
}

export function summaryOf(
  conditions: readonly Pick<z.input<typeof Condition>, 'kind' | 'fidelity' | 'count'>[],
): z.input<typeof CoverageView>['summary'] {
  const share = (isMeant: (condition: (typeof conditions)[number]) => boolean) => {
    const meant = conditions.filter(isMeant);
    return { seen: meant.filter(({ count }) => count > 0).length, of: meant.length };
  };
  return {
    operations: share(({ kind }) => kind === 'operation'),
    refusals: share(({ kind }) => kind === 'refusal'),
    events: share(({ kind }) => kind === 'event'),
    other: share(({ kind }) => kind === 'other'),
    documented: share(({ fidelity }) => fidelity === 'documented'),
  };
}

const get = operation({
  id: 'coverage.get',
  plane: 'control',
  method: 'GET',
  path: '/coverage',
  summary: 'List the conditions of the interface, and how often the world has seen each',
  fidelity: RULE,
  responses: { 200: CoverageView },
  run: ({ world }) => reply(200, coverageOf(world)),
});

export const coverageOperations = [get];
