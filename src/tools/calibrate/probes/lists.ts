import type { Exchange } from '../../evidence.ts';
import type { Lab } from '../lab/lab.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';
import {
  hasAll,
  isInvalid,
  itemsOf,
  type JsonObject,
  missingOf,
  objectOf,
  textOf,
} from '../service/responses.ts';

const PROGRAM_MEMBERS = ['id', 'name', 'type', 'brand', 'currency', 'status', 'fees', 'createdAt'];
const FEES = ['card_issuance', 'transaction_processing', 'kyc_verification'];
const LISTS = [
  '/partner/cards',
  '/partner/cardholders',
  '/partner/usage/records',
  '/partner/webhooks/events',
  '/partner/transactions',
];
const USAGE = '/partner/usage/records';

/** Resolves with a page of a list that all probes read. */
export function listOf(lab: Lab, path: string): Promise<Exchange> {
  return lab.once(`list ${path}`, () => lab.service.get(path, { limit: '100' }));
}

/** Probes of lists, and of the records that reads show. */
export const listProbes: readonly Probe[] = [
  {
    id: 'list-order',
    needs: 'read',
    takes: 'a list with two records that were created at different times',
    async probe(lab) {
      const orders = [];
      for (const path of LISTS) {
        const list = await listOf(lab, path);
        const order = orderOf(itemsOf(list));
        if (order !== null) orders.push({ path, order, list });
      }
      const [first] = orders;
      if (first === undefined) throw new Undecided(this.takes);
      const isAgreed = orders.every(({ order }) => order === first.order);
      const seen = `${orders.map(({ path, order }) => `GET ${path} is ${order} first`).join(', ')}`;
      return isAgreed
        ? measurement(first.order, seen, first.list)
        : finding(false, seen, ...orders.map(({ list }) => list));
    },
  },
  {
    id: 'invalid-input-status',
    needs: 'read',
    takes: 'a request that the service refuses as input',
    async probe({ service }) {
      const refused = await service.get('/partner/cards', { page: '0' });
      if (!isInvalid(refused)) throw new Undecided(this.takes, refused);
      return measurement(refused.status, `page=0 gets a ${refused.status}`, refused);
    },
  },
  {
    id: 'card-programs',
    needs: 'read',
    takes: 'a card program',
    async probe(lab) {
      const list = await listOf(lab, '/partner/card-programs');
      const [program] = itemsOf(list);
      if (list.status !== 200)
        return finding(false, `GET /partner/card-programs gets a ${list.status}`, list);
      if (program === undefined) throw new Undecided(this.takes, list);
      const read = await lab.service.get(`/partner/card-programs/${textOf(program, 'id')}`);
      const missing = [missingOf(read.body, PROGRAM_MEMBERS), missingOf(objectOf(read.body).fees, FEES)]
        .filter(Boolean)
        .join(', ');
      const seen =
        missing === '' ? 'a card program has the assumed fields' : `a card program has no ${missing}`;
      return finding(read.status === 200 && missing === '', seen, list, read);
    },
  },
  {
    id: 'card-values',
    needs: 'read',
    takes: 'a card',
    async probe(lab) {
      const list = await listOf(lab, '/partner/cards');
      const cards = itemsOf(list);
      if (cards.length === 0) throw new Undecided(this.takes, list);
      const others = cards.filter(
        ({ type, brand }) =>
          !['virtual', 'physical'].includes(String(type)) || !['visa', 'mastercard'].includes(String(brand)),
      );
      const spentPerTransaction = cards.filter(({ spendControl }) => {
        const { sales, cash } = objectOf(objectOf(spendControl).spent);
        return objectOf(sales).perTransaction !== 0 || objectOf(cash).perTransaction !== 0;
      });
      const [other] = others;
      const seen =
        other === undefined
          ? `${cards.length} cards have an assumed type and brand; spent.*.perTransaction is ${spentPerTransaction.length === 0 ? 'always 0' : 'not always 0'}`
          : `there is a card with type ${other.type} and brand ${other.brand}`;
      return finding(others.length + spentPerTransaction.length === 0, seen, list);
    },
  },
  {
    id: 'usage',
    needs: 'read',
    takes: 'a usage record',
    async probe(lab) {
      const list = await listOf(lab, USAGE);
      const records = itemsOf(list);
      if (records.length === 0) throw new Undecided(this.takes, list);
      const wrong = records.filter(
        record => !textOf(record, 'createdAt').startsWith(textOf(record, 'billingPeriod')),
      );
      const kyc = records.find(({ type }) => type === 'kyc_verification');
      const about =
        kyc === undefined
          ? null
          : await lab.service.get(`/partner/cardholders/${textOf(kyc, 'referenceId')}`);
      const refersToCardholder = about === null || about.status === 200;
      const seen = `${wrong.length} of ${records.length} usage records have another billing period than the month of createdAt; a kyc_verification record ${refersToCardholder ? 'refers' : 'does not refer'} to a cardholder`;
      return finding(
        wrong.length === 0 && refersToCardholder,
        seen,
        list,
        ...(about === null ? [] : [about]),
      );
    },
  },
  {
    id: 'balance',
    needs: 'read',
    takes: 'a balance',
    async probe(lab) {
      const balance = await lab.service.get('/partner/balance');
      const members = ['available', 'held', 'currency', 'lowThreshold', 'alertThreshold', 'updatedAt'];
      const missing = missingOf(balance.body, members);
      const seen =
        balance.status !== 200
          ? `GET /partner/balance gets a ${balance.status}`
          : missing === ''
            ? 'the balance has the assumed fields'
            : `the balance has no ${missing}`;
      return finding(balance.status === 200 && hasAll(balance.body, members), seen, balance);
    },
  },
];

/** Returns whether the newest or the oldest records come first, or null when the times do not show it. */
function orderOf(items: readonly JsonObject[]): 'newest' | 'oldest' | null {
  const times = items.map(item => Date.parse(textOf(item, 'createdAt'))).filter(Number.isFinite);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  if (first === last) return null;
  return first > last ? 'newest' : 'oldest';
}
