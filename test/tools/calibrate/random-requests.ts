import { RandomStream } from '../../../src/core/values/random.ts';
import type { Json, Reply } from '../../support/sandbox.ts';

/** A request to the API in the words of a service. */
export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const STATUSES = ['created', 'active', 'frozen', 'cancelled', 'unknown'];
const TYPES = ['card_issuance', 'kyc_verification', 'unknown'];
const TIMES = ['2026-02-01T00:00:00Z', '2026-03-15T10:00:00Z', 'never'];
const ACTIONS = ['activate', 'freeze', 'unfreeze', 'cancel'];
const LISTS = ['cards', 'cardholders', 'transactions', 'card-programs', 'usage/records', 'webhooks/events'];

/** Makes random requests that use the ids of earlier responses. The same seed and responses make the same requests. */
export function randomRequests(seed: number) {
  const stream = new RandomStream(seed, 'requests');
  const random = () => stream.next() / 2 ** 32;
  const ids: Record<string, string[]> = {
    ch_: ['ch_none'],
    card_: ['card_none'],
    evt_: [],
    txn_: [],
    prog_: [],
  };
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  };
  const query = (...names: readonly (readonly [string, readonly string[]])[]) =>
    new URLSearchParams(
      Object.fromEntries(names.filter(() => random() < 0.5).map(([name, values]) => [name, pick(values)])),
    ).toString();
  const anyId = (prefix: string) => pick(ids[prefix]?.length ? ids[prefix] : [`${prefix}unknown`]);
  const email = () =>
    pick(['mia@example.org', 'MIA@example.org', `p${Math.floor(random() * 50)}@example.org`]);
  const makers: readonly (() => RandomRequest)[] = [
    () => ({
      method: 'GET',
      path: `/partner/${pick(LISTS)}?${query(['page', ['1', '2', '0']], ['limit', ['3', '101']])}`,
    }),
    () => ({
      method: 'GET',
      path: `/partner/cards?${query(['cardState', STATUSES], ['status', STATUSES], ['cardholderId', ids.ch_ ?? []])}`,
    }),
    () => ({
      method: 'GET',
      path: `/partner/usage/records?${query(['created_after', TIMES], ['until', TIMES], ['from', TIMES], ['month', ['2026-02', 'x']], ['kind', TYPES], ['type', TYPES])}`,
    }),
    () => ({
      method: 'GET',
      path: `/partner/cardholders?${query(['email', [email()]], ['kycStatus', ['approved', 'x']])}`,
    }),
    () => ({ method: 'GET', path: '/partner/balance' }),
    () => ({ method: 'GET', path: '/partner/webhooks/config' }),
    () => ({ method: 'GET', path: `/partner/webhooks/events/${anyId('evt_')}` }),
    () => ({ method: 'POST', path: `/partner/webhooks/events/${anyId('evt_')}/retry` }),
    () => ({ method: 'GET', path: `/partner/transactions/${anyId('txn_')}` }),
    () => ({ method: 'GET', path: `/partner/cards/${anyId('card_')}` }),
    () => ({
      method: 'PATCH',
      path: '/partner/webhooks/config',
      body: pick([
        { subscribedEvents: ['cardholder.created', 'cardholder.approved', 'card.issued'] },
        { webhookUrl: 'http://127.0.0.1:9/hook', webhookSecret: 'a-secret-of-some-length' },
        { webhookUrl: null, subscribedEvents: ['card.issued', 'cardholder.kyc.updated'] },
        { webhookSecret: 'short' },
      ]),
    }),
    () => {
      const name = Math.floor(random() * 1_000_000);
      return {
        method: 'POST',
        path: '/partner/cardholders',
        body: {
          externalUserId: `user-${name % 40}`,
          email: email(),
          phoneNumber: '+4915123456789',
          kycSource: pick(['checkly', 'veriface', 'idp1']),
          checklyShareToken: `checkly_test_${pick(['approve', 'reject'])}_${name}`,
          verifaceShareToken: `veriface_test_approve_${name}`,
        },
      };
    },
    () => ({
      method: 'POST',
      path: `/partner/cardholders/${anyId('ch_')}/kyc`,
      body: { cardProgramId: pick(['prog_everyday', 'prog_unknown']) },
    }),
    () => ({
      method: 'POST',
      path: '/partner/cards',
      body: { cardholderId: anyId('ch_'), cardProgramId: 'prog_everyday', limit: pick([100, 12.34, 1234]) },
    }),
    () => ({ method: 'POST', path: `/partner/cards/${anyId('card_')}/${pick(ACTIONS)}` }),
    () => ({
      method: 'POST',
      path: `/partner/cards/${anyId('card_')}/reveal-html`,
      body: pick([{}, { stylesheetUrl: 'https://example.org/card.css' }, { copyPan: 'yes' }]),
    }),
  ];
  return {
    next: () => pick(makers)(),
    /** Takes note of the ids in a response. */
    note({ body }: Pick<Reply, 'body'>) {
      const records: readonly Json[] = Array.isArray(body?.data) ? body.data : [body];
      for (const record of records) {
        const id: unknown = record?.id;
        if (typeof id !== 'string') continue;
        const known = ids[id.replace(/_.*/s, '_')];
        if (known !== undefined && !known.includes(id)) known.push(id);
      }
    },
  };
}
