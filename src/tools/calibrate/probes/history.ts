import type { Exchange } from '../../evidence.ts';
import type { Lab } from '../lab/lab.ts';
import { dataOf, payloadOf } from '../lab/webhooks.ts';
import { finding, type Probe, Undecided } from '../probe.ts';
import { hasAll, itemsOf, textOf } from '../service/responses.ts';
import { listOf } from './lists.ts';

const EVENTS = '/partner/webhooks/events';
const MAX_EVENTS = 30;

/** Probes of what has happened to transactions and to the balance: the API cannot make it happen. */
export const historyProbes: readonly Probe[] = [
  {
    id: 'authorization-expiry',
    needs: 'read',
    takes: 'a reversed transaction',
    async probe(lab) {
      const list = await listOf(lab, '/partner/transactions');
      const reversed = itemsOf(list).filter(({ status }) => status === 'reversed');
      if (reversed.length === 0) throw new Undecided(this.takes, list);
      const reasons = [...new Set(reversed.map(({ reversalReason }) => String(reversalReason)))];
      const holds = reasons.every(reason => reason === 'merchant' || reason === 'expired');
      return finding(holds, `reversed transactions have the reversalReason ${reasons.join(', ')}`, list);
    },
  },
  {
    id: 'over-settlement',
    needs: 'read',
    takes: 'a transaction that was settled for more than it was authorized for',
    async probe(lab) {
      const list = await listOf(lab, '/partner/transactions');
      const over = itemsOf(list).find(each => Number(each.settledAmount) > Number(each.amount));
      if (over === undefined) throw new Undecided(this.takes, list);
      const seen = `a transaction of ${over.amount} is settled with ${over.settledAmount}`;
      return finding(over.status === 'settled', seen, list);
    },
  },
  {
    id: 'increments',
    needs: 'read',
    takes: 'the delivery events of a transaction whose authorized amount was raised',
    async probe(lab) {
      return changedAmount(await authorizedAmounts(lab), this.takes, (before, after) => after > before);
    },
  },
  {
    id: 'partial-reversals',
    needs: 'read',
    takes: 'the delivery events of a transaction that was partly reversed',
    async probe(lab) {
      return changedAmount(await authorizedAmounts(lab), this.takes, (before, after) => after < before);
    },
  },
  {
    id: 'balance-events',
    needs: 'read',
    takes: 'a delivery event of the type balance.top_up',
    async probe(lab) {
      const list = await lab.service.get(EVENTS, { eventType: 'balance.top_up', limit: '1' });
      const id = textOf(itemsOf(list)[0], 'id');
      if (id === '') throw new Undecided(this.takes, list);
      const read = await lab.service.get(`${EVENTS}/${id}`);
      const data = dataOf(payloadOf(lab, read.body));
      const holds = hasAll(data, ['available', 'held', 'currency']);
      return finding(holds, `balance.top_up ${holds ? 'holds' : 'does not hold'} the balance`, read);
    },
  },
];

/** An event about an authorized transaction. */
interface Authorized {
  readonly id: string;
  readonly at: string;
  readonly amount: number;
  readonly exchange: Exchange;
}

/** Reads the newest events about authorized transactions, in the order in which they were raised. */
function authorizedAmounts(lab: Lab): Promise<readonly Authorized[]> {
  return lab.once('authorized amounts', async () => {
    const list = await lab.service.get(EVENTS, { eventType: 'card.transaction', limit: `${MAX_EVENTS}` });
    const found: Authorized[] = [];
    for (const event of itemsOf(list)) {
      const exchange = await lab.service.get(`${EVENTS}/${textOf(event, 'id')}`);
      const data = dataOf(payloadOf(lab, exchange.body));
      if (data.status !== 'authorized') continue;
      const at = textOf(event, 'createdAt');
      found.push({ id: textOf(data, 'id'), at, amount: Number(data.amount), exchange });
    }
    return found.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  });
}

function changedAmount(
  events: readonly Authorized[],
  takes: string,
  isChange: (before: number, after: number) => boolean,
) {
  for (const [index, before] of events.entries()) {
    const after = events.slice(index + 1).find(({ id }) => id === before.id);
    if (after === undefined || !isChange(before.amount, after.amount)) continue;
    const seen = `the amount of an authorized transaction changes from ${before.amount} to ${after.amount}`;
    return finding(true, seen, before.exchange, after.exchange);
  }
  throw new Undecided(takes);
}
