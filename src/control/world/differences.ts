import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { apiKeys, currentKey, partners } from '../../core/access/partners.ts';
import { faultsOf } from '../../core/faults/faults.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import type { Row, TableDefinition } from '../../core/store/table-definition.ts';
import type { World } from '../../core/world/world.ts';
import type { WorldSnapshot } from '../../core/world/world-snapshot.ts';
import { webhookFaults } from '../../service/webhooks/faults.ts';
import { UNSET_CONFIG, webhookConfigs } from '../../service/webhooks/records.ts';

const SUBJECTS = [
  'clock',
  'faults',
  'webhook-faults',
  'forwarding',
  'partners',
  'settings',
  'keys',
  'webhooks',
] as const;

const DifferenceView = z
  .strictObject({
    subject: z.enum(SUBJECTS),
    partnerId: z.string().nullable().describe('The partner that it is about; null for the whole world.'),
    text: z.string(),
  })
  .meta({ id: 'Difference' });

type Difference = z.input<typeof DifferenceView>;

/** Differences of the clock below this are those between two reads of it. */
const MIN_OFFSET_MS = 2_000;

export const stateDifferences = operation({
  id: 'state.differences',
  plane: 'control',
  method: 'GET',
  path: '/state/differences',
  summary: 'List what differs from the start or the last reset, apart from records',
  fidelity: assumed('control-plane'),
  responses: { 200: z.array(DifferenceView) },
  run: ({ world }) =>
    reply(200, [
      ...clockDifferences(world),
      ...faultDifferences(world),
      ...forwardingDifferences(world),
      ...partnerDifferences(world),
    ]),
});

const ofWorld = (subject: Difference['subject'], text: string): Difference => ({
  subject,
  partnerId: null,
  text,
});

function clockDifferences({ state, start, options }: World): Difference[] {
  const { clock } = state;
  const { advancedMs, frozen } = clock.snapshot();
  const { clock: first } = start.snapshot;
  const found: Difference[] = [];
  if (frozen !== first.frozen) {
    found.push(
      ofWorld(
        'clock',
        frozen ? 'The clock is frozen; it started running.' : 'The clock runs; it started frozen.',
      ),
    );
  }
  const now = clock.now();
  const followsWallTime = (options.clock ?? null) === null && !first.frozen;
  const [offset, reference] = followsWallTime
    ? [now - state.setup.realTime.now(), 'real time']
    : first.frozen || now < first.now
      ? [now - first.now, 'where it started']
      : [advancedMs - first.advancedMs, 'where it would be without advances'];
  if (Math.abs(offset) >= MIN_OFFSET_MS) {
    const side = offset > 0 ? 'ahead of' : 'behind';
    found.push(ofWorld('clock', `The clock is ${durationText(Math.abs(offset))} ${side} ${reference}.`));
  }
  return found;
}

function faultDifferences({ state }: World): Difference[] {
  const now = state.clock.now();
  const ofApi = faultsOf(state)
    .list()
    .filter(({ times = Infinity, hits, until = Infinity }) => hits < times && now < until);
  const ofWebhooks = [...state.table(webhookFaults).all()].filter(
    ({ times, hits }) => hits < (times ?? Infinity),
  );
  const about = (subject: Difference['subject'], { length }: readonly unknown[], what: string) =>
    length === 0 ? [] : [ofWorld(subject, `${counted(length, 'fault')} of ${what} can still act.`)];
  return [...about('faults', ofApi, 'the API'), ...about('webhook-faults', ofWebhooks, 'webhooks')];
}

function forwardingDifferences({ state, start }: World): Difference[] {
  const [now, before] = [state.setup.forwarding(), start.forwarding];
  const found: string[] = [];
  if (now.url !== before.url) {
    const to = (url: string | null) => (url === null ? 'are not forwarded' : `are forwarded to ${url}`);
    const from = before.url === null ? 'they were not' : `they went to ${before.url}`;
    found.push(`Webhooks ${to(now.url)}; at the start ${from}.`);
  }
  if (now.allowHttp !== before.allowHttp) {
    found.push(
      `Webhook URLs with http:// are ${now.allowHttp ? 'accepted' : 'refused'}, unlike at the start.`,
    );
  }
  if (!isDeepStrictEqual(now.map, before.map)) found.push('The mappings of webhook URLs were changed.');
  return found.map(text => ofWorld('forwarding', text));
}

function partnerDifferences({ state, start: { snapshot } }: World): Difference[] {
  const before = {
    partners: rowsIn(snapshot, partners),
    keys: rowsIn(snapshot, apiKeys),
    configs: new Map(rowsIn(snapshot, webhookConfigs).map(row => [row.id, row])),
  };
  const all = [...state.table(partners).all()];
  const added = all.filter(({ id }) => !before.partners.some(each => each.id === id));
  const changed = before.partners.flatMap(old => {
    const current = state.table(partners).get(old.id);
    if (current === undefined) return [ofWorld('partners', `The partner ${old.name} is missing.`)];
    const { id, settings, name } = current;
    const keyBefore = before.keys.findLast(({ partnerId }) => partnerId === id)?.id;
    const about = (subject: Difference['subject'], text: string) => [{ subject, partnerId: id, text }];
    const changes = changedNames(old.settings, settings);
    const webhookChanges = changedNames(
      before.configs.get(id) ?? UNSET_CONFIG,
      state.table(webhookConfigs).get(id) ?? UNSET_CONFIG,
    );
    return [
      ...(changes === '' ? [] : about('settings', `Settings of ${name} were changed: ${changes}.`)),
      ...(webhookChanges === ''
        ? []
        : about('webhooks', `The webhooks of ${name} were changed: ${webhookChanges}.`)),
      ...(keyBefore === currentKey(state, id) ? [] : about('keys', `The API key of ${name} was rotated.`)),
    ];
  });
  return [
    ...added.map(({ id, name }) => ({
      subject: 'partners' as const,
      partnerId: id,
      text: `The partner ${name} was added.`,
    })),
    ...changed,
  ];
}

function rowsIn<R extends Row>({ tables }: WorldSnapshot, table: TableDefinition<R, string, string>): R[] {
  // The rows of a snapshot have the type of the declaration of their table.
  return [...(tables.get(table)?.values() ?? [])] as R[];
}

function changedNames(before: object, after: object): string {
  const known: Readonly<Record<string, unknown>> = { ...before };
  const changed = Object.entries(after).filter(
    ([name, value]) => !['id', 'partnerId'].includes(name) && !isDeepStrictEqual(known[name], value),
  );
  return changed.map(([name]) => name).join(', ');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function durationText(ms: number): string {
  // Less than 2 units by a little: a clock that was advanced by 2 h and then frozen is behind that by now.
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
  ] as const;
  const [unit, size] = units.find(([, length]) => ms >= 1.99 * length) ?? ['s', 1_000];
  return `${Math.round(ms / size)} ${unit}`;
}
