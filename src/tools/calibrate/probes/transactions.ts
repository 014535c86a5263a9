import type { Exchange } from '../../evidence.ts';
import type { Lab } from '../lab/lab.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';
import { itemsOf, type JsonObject, missingOf, objectOf, textOf, totalOf } from '../service/responses.ts';
import { listOf } from './lists.ts';

const TRANSACTIONS = '/partner/transactions';
const MEMBERS =
  'id cardId cardholderId type status amount settledAmount currency merchant declineReason declineDetail reversalReason createdAt updatedAt'.split(
    ' ',
  );
const DECLINE_REASONS =
  'card_not_activated card_frozen card_cancelled card_expired cardholder_inactive spend_limit_exceeded card_limit_exceeded insufficient_funds merchant_category_not_allowed country_not_allowed incorrect_pin incorrect_cvv three_ds_failed suspected_fraud do_not_honor'.split(
    ' ',
  );
const DAY_MS = 86_400_000;
/** No authorization that expires lives longer. */
const LONGEST_TTL_MS = 366 * DAY_MS;
const UNITS = [
  ['d', DAY_MS],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** Probes of transactions that the service has: the API cannot make them. */
export const transactionProbes: readonly Probe[] = [
  {
    id: 'transactions',
    needs: 'read',
    takes: 'a transaction',
    async probe(lab) {
      const list = await listOf(lab, TRANSACTIONS);
      if (list.status !== 200) return finding(false, `GET ${TRANSACTIONS} gets a ${list.status}`, list);
      const [first] = itemsOf(list);
      if (first === undefined) throw new Undecided(this.takes, list);
      const read = await lab.service.get(`${TRANSACTIONS}/${textOf(first, 'id')}`);
      const ofCard = await lab.service.get(TRANSACTIONS, { cardId: 'card-sandbox-calibration' });
      const filters = totalOf(ofCard) === 0;
      const missing = missingOf(read.body, MEMBERS);
      const seen = `a transaction ${missing === '' ? 'has the assumed fields' : `has no ${missing}`}; the list ${filters ? 'filters' : 'does not filter'} by cardId`;
      return finding(read.status === 200 && missing === '' && filters, seen, list, read, ofCard);
    },
  },
  {
    id: 'merchants',
    needs: 'read',
    takes: 'a transaction',
    async probe(lab) {
      const { list, transactions } = await findKnown(lab, this.takes);
      const missing = missingOf(transactions[0]?.merchant, ['name', 'mcc', 'city', 'country']);
      return finding(
        missing === '',
        missing === '' ? 'a merchant has the assumed fields' : `a merchant has no ${missing}`,
        list,
      );
    },
  },
  {
    id: 'decline-reasons',
    needs: 'read',
    takes: 'a declined transaction',
    async probe(lab) {
      const { list, transactions } = await findKnown(lab, this.takes);
      const declined = transactions.filter(({ status }) => status === 'declined');
      if (declined.length === 0) throw new Undecided(this.takes, list);
      const other = declined.find(each => !DECLINE_REASONS.includes(textOf(each, 'declineReason')));
      const seen =
        other === undefined
          ? `${declined.length} declined transactions have an assumed reason`
          : `there is a declined transaction with the reason ${other.declineReason}`;
      return finding(other === undefined, seen, list);
    },
  },
  {
    id: 'transaction-moves',
    needs: 'read',
    takes: 'a settled transaction',
    async probe(lab) {
      const { list, transactions } = await findKnown(lab, this.takes);
      const settled = transactions.filter(({ status }) => status === 'settled');
      if (settled.length === 0) throw new Undecided(this.takes, list);
      const states = ['authorized', 'declined', 'settled', 'reversed'];
      const other = transactions.find(({ status }) => !states.includes(String(status)));
      const unsettled = settled.filter(({ settledAmount }) => typeof settledAmount !== 'number');
      const seen =
        other === undefined
          ? `all transactions are in assumed states; ${unsettled.length} of ${settled.length} settled ones have no settledAmount`
          : `there is a transaction with the status ${other.status}`;
      return finding(other === undefined && unsettled.length === 0, seen, list);
    },
  },
  {
    id: 'spend-windows',
    needs: 'read',
    takes: 'a card with a transaction',
    async probe(lab) {
      const { transactions } = await findKnown(lab, this.takes);
      const cards = await listOf(lab, '/partner/cards');
      const card = itemsOf(cards).find(({ id }) =>
        transactions.some(({ cardId, status }) => cardId === id && status !== 'declined'),
      );
      if (card === undefined) throw new Undecided(this.takes, cards);
      const own = await lab.service.get(TRANSACTIONS, { cardId: textOf(card, 'id'), limit: '100' });
      if ((totalOf(own) ?? 0) > 100) throw new Undecided('a card with at most 100 transactions', own);
      const spent = objectOf(objectOf(objectOf(card.spendControl).spent).sales).allTime;
      const sum = itemsOf(own)
        .filter(({ type }) => type === 'sale')
        .reduce((total, each) => total + Math.round(countedAmount(each) * 100), 0);
      const seen = `the sales of a card count ${sum / 100}, and spent.sales.allTime is ${spent}`;
      return finding(Math.round(Number(spent) * 100) === sum, seen, cards, own);
    },
  },
  {
    id: 'authorization-ttl',
    needs: 'read',
    takes: 'a transaction whose authorization has expired (reversalReason expired)',
    async probe(lab) {
      const { list, transactions } = await findKnown(lab, this.takes);
      const expired = transactions.find(({ reversalReason }) => reversalReason === 'expired');
      if (expired !== undefined) {
        const ms = Date.parse(textOf(expired, 'updatedAt')) - Date.parse(textOf(expired, 'createdAt'));
        return measurement(durationText(ms), `an authorization expired after ${durationText(ms)}`, list);
      }
      // By the clock of the service, as far as its records show it.
      const now = Math.max(...transactions.map(each => Date.parse(textOf(each, 'createdAt'))));
      const old = transactions.find(
        each => each.status === 'authorized' && now - Date.parse(textOf(each, 'createdAt')) > LONGEST_TTL_MS,
      );
      if (old === undefined) throw new Undecided(this.takes, list);
      return measurement('never', `a transaction is authorized since ${old.createdAt}`, list);
    },
  },
];

async function findKnown(
  lab: Lab,
  takes: string,
): Promise<{ readonly list: Exchange; readonly transactions: readonly JsonObject[] }> {
  const list = await listOf(lab, TRANSACTIONS);
  const transactions = itemsOf(list);
  if (transactions.length === 0) throw new Undecided(takes, list);
  return { list, transactions };
}

/** The amount with which a transaction counts against the limits of its card. */
function countedAmount({ status, amount, settledAmount }: JsonObject): number {
  if (status === 'authorized') return Number(amount);
  return status === 'settled' ? Number(settledAmount) : 0;
}

/** Writes a duration in the largest unit that holds it, to the second. */
function durationText(ms: number): string {
  const rounded = ms < 10_000 ? ms : Math.round(ms / 1_000) * 1_000;
  const [unit, size] = UNITS.find(([, each]) => rounded % each === 0) ?? ['ms', 1];
  return `${rounded / size}${unit}`;
}
