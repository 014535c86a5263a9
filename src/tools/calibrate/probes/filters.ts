import type { AssumptionId } from '../../../client/generated/assumptions.ts';
import type { Exchange } from '../../evidence.ts';
import type { Lab } from '../lab/lab.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';
import { isInvalid, isOk, itemsOf, totalOf } from '../service/responses.ts';

const CARDS = '/partner/cards';
const USAGE = '/partner/usage/records';
const IMPOSSIBLE = 'card-sandbox-calibration';
const LONG_AGO = '1971-01-01T00:00:00Z';
const FAR_AHEAD = '2999-01-01T00:00:00Z';
const CARDHOLDER_LIST = 'GET /partner/cardholders';

/** More in one request would make its URL too long for some servers. */
const MAX_NAMES = 60;

/** What services call the filters that the interface does not name, in camel case. */
const WORDS = {
  status: 'status state cardStatus cardState byStatus filterStatus statusFilter lifecycleStatus',
  cardholder: 'cardholderId cardholder holderId cardHolderId ownerId userId customerId',
  from: 'from since after start begin gte min startDate startTime startAt startsAt fromDate fromTime fromTimestamp startTimestamp dateFrom timeFrom createdFrom createdAfter createdSince createdAtFrom createdAtAfter createdAtStart createdAtGte createdGte createdAtMin minCreatedAt minDate periodStart rangeStart beginDate beginTime beginAt dateStart timeStart usageFrom usageStart occurredFrom occurredAfter recordedFrom recordedAfter',
  to: 'to until before end lte max endDate endTime endAt endsAt toDate toTime toTimestamp endTimestamp dateTo timeTo createdTo createdBefore createdUntil createdAtTo createdAtBefore createdAtEnd createdAtLte createdLte createdAtMax maxCreatedAt maxDate periodEnd rangeEnd untilDate untilTime dateEnd timeEnd usageTo usageEnd occurredTo occurredBefore recordedTo recordedBefore',
  period:
    'billingPeriod period month billingMonth yearMonth invoicePeriod invoiceMonth billing periodMonth billingCycle cycle usagePeriod usageMonth',
  type: 'type usageType kind recordType eventType category usageKind usageCategory recordKind types filterType typeFilter',
} as const;

/** The members that some services write in brackets or after a dot. */
const NESTED: Partial<Record<keyof typeof WORDS, readonly string[]>> = {
  from: ['created', 'createdAt', 'created_at'].flatMap(name => comparisons(name, ['gte', 'from', 'after'])),
  to: ['created', 'createdAt', 'created_at'].flatMap(name => comparisons(name, ['lte', 'to', 'before'])),
};

/** Probes of the filters that the interface does not name. */
export const filterProbes: readonly Probe[] = [
  parameterProbe('card-status-parameter', CARDS, { filter: 'status', values: [IMPOSSIBLE], valid: 'active' }),
  parameterProbe('usage-from-parameter', USAGE, {
    filter: 'from',
    values: [FAR_AHEAD, IMPOSSIBLE],
    valid: LONG_AGO,
  }),
  parameterProbe('usage-to-parameter', USAGE, {
    filter: 'to',
    values: [LONG_AGO, IMPOSSIBLE],
    valid: FAR_AHEAD,
  }),
  parameterProbe('usage-period-parameter', USAGE, {
    filter: 'period',
    values: ['1971-01', IMPOSSIBLE],
    valid: '2026-01',
  }),
  parameterProbe('usage-type-parameter', USAGE, {
    filter: 'type',
    values: [IMPOSSIBLE],
    valid: 'card_issuance',
  }),
  {
    id: 'cardholder-parameter',
    needs: 'read',
    takes: 'a card',
    async probe(lab) {
      const cards = await lab.service.get(CARDS, { limit: '1' });
      if (totalOf(cards) === 0) throw new Undecided(this.takes, cards);
      const filtered = await lab.service.get(CARDS, { cardholderId: IMPOSSIBLE });
      const seen = `with the cardholderId of nobody, GET ${CARDS} returns ${totalOf(filtered)} of ${totalOf(cards)} cards`;
      return finding(totalOf(filtered) === 0, seen, cards, filtered);
    },
  },
  {
    id: 'cardholder-list',
    needs: 'read',
    takes: 'a list of cardholders',
    async probe({ service }) {
      const path = '/partner/cardholders';
      const all = await service.get(path, { limit: '100' });
      const [first] = itemsOf(all);
      if (first === undefined) {
        if (all.status === 200) throw new Undecided('a cardholder', all);
        return finding(false, `${CARDHOLDER_LIST} gets a ${all.status}`, all);
      }
      const filtered = [all];
      for (const name of ['status', 'kycStatus', 'externalUserId', 'email']) {
        filtered.push(await service.get(path, { [name]: String(first[name]), limit: '100' }));
      }
      const names = ['', 'status', 'kycStatus', 'externalUserId', 'email'];
      const without = names.filter(
        (name, index) =>
          name !== '' &&
          filtered[index] !== undefined &&
          !(
            itemsOf(filtered[index]).length > 0 &&
            itemsOf(filtered[index]).every(each => each[name] === first[name])
          ),
      );
      const seen =
        without.length === 0
          ? `${CARDHOLDER_LIST} filters by status, kycStatus, externalUserId and email`
          : `${CARDHOLDER_LIST} does not filter by ${without.join(', ')}`;
      return finding(without.length === 0, seen, ...filtered);
    },
  },
];

function parameterProbe(id: AssumptionId, path: string, bait: Bait): Probe {
  return {
    id,
    needs: 'read',
    takes: `the name of the filter in --var parameters=…, or a record that it leaves out`,
    variables: ['parameters'],
    async probe(lab: Lab) {
      const found: FoundParameter = await findParameter(lab, path, bait);
      return measurement(found.name, `${found.name} filters GET ${path}`, ...found.exchanges);
    },
  };
}

/** A parameter of a list that filters. */
interface FoundParameter {
  readonly name: string;
  /** The response without it, or with an unknown name, and the one that shows its effect. */
  readonly exchanges: readonly [Exchange, Exchange];
}

/** A filter, and the values that show which parameter it is. */
interface Bait {
  readonly filter: Filter;
  /** Values to try in turn. A value that matches nothing shows only in a list that has records. */
  readonly values: readonly string[];
  /** A value that the filter accepts. */
  readonly valid: string;
}

/**
 * Finds the parameter of a filter by its effect: with a value that cannot match, the service refuses the request or
 * returns no records. Many names are sent in one request, because unknown ones are ignored; a service that refuses
 * unknown ones gets each name alone, with a valid value. Rejects with Undecided when
 * none has an effect.
 */
async function findParameter(
  lab: Lab,
  path: string,
  { filter, values, valid }: Bait,
): Promise<FoundParameter> {
  const plain = await lab.once(`first of ${path}`, () => lab.service.get(path, { limit: '1' }));
  const total = totalOf(plain);
  const { parameters } = lab.variables;
  const ask = (names: readonly string[], value: string) =>
    lab.service.get(path, { limit: '1', ...Object.fromEntries(names.map(name => [name, value])) });
  const hasEffect = (exchange: Exchange) =>
    isInvalid(exchange) || (total !== null && total > 0 && totalOf(exchange) === 0);
  const control = await ask(['cardSandboxCalibration'], values[0] ?? '');
  const names = parameterNames(filter, parameters?.split(','));
  if (hasEffect(control)) {
    for (const name of names) {
      const exchange = await ask([name], valid);
      if (isOk(exchange)) return { name, exchanges: [control, exchange] };
    }
    throw new Undecided('the name of the filter in --var parameters=…', control);
  }
  for (const value of values) {
    const [usual = ''] = names;
    const alone = await ask([usual], value);
    if (hasEffect(alone)) return { name: usual, exchanges: [plain, alone] };
    for (let at = 0; at < names.length; at += MAX_NAMES) {
      let candidates = names.slice(at, at + MAX_NAMES);
      if (!hasEffect(await ask(candidates, value))) continue;
      while (candidates.length > 1) {
        const half = candidates.slice(0, Math.ceil(candidates.length / 2));
        candidates = hasEffect(await ask(half, value)) ? half : candidates.slice(half.length);
      }
      const [name = ''] = candidates;
      const shown = await ask([name], value);
      if (hasEffect(shown)) return { name, exchanges: [plain, shown] };
    }
  }
  throw new Undecided(`a name of the filter that has an effect; pass --var parameters=…`, plain);
}

/** A filter that the interface does not name. */
type Filter = keyof typeof WORDS;

/** Returns what the parameter of a filter may be called, the names of the sandbox first. */
function parameterNames(filter: Filter, more: readonly string[] = []): readonly string[] {
  const words = WORDS[filter].split(' ');
  const cases = [
    words,
    words.map(name => separateWords(name, '_')),
    words.map(name => separateWords(name, '-')),
  ];
  const filters = words.map(name => `filter[${name}]`);
  return [...new Set([...cases.flat(), ...(NESTED[filter] ?? []), ...filters, ...more])];
}

function comparisons(name: string, operators: readonly string[]): readonly string[] {
  return operators.flatMap(operator => [
    `${name}[${operator}]`,
    `${name}.${operator}`,
    `${name}__${operator}`,
  ]);
}

function separateWords(name: string, separator: string): string {
  return name.replace(/[A-Z]/g, letter => separator + letter.toLowerCase());
}
