import { control } from '../data/http.ts';
import type { Card, Cardholder, KycSession, ShareToken, Transaction } from '../data/response-types.ts';
import { partnerQuery } from '../data/store.ts';
import { go } from '../route.ts';
import type { IconName } from '../ui/icons.tsx';
import type { Option } from './option.ts';

/** How many records of each kind are shown. */
const MAX_OF_KIND = 5;

interface Kind<T> {
  /** Below the control plane. */
  readonly path: string;
  readonly view: string;
  readonly icon: IconName;
  readonly idOf: (row: T) => string;
  readonly labelOf: (row: T) => string;
}

/** Lets the sandbox search the selected partner's records of every kind. A kind that cannot be read has none. */
export async function findRecords(text: string, cancelled: AbortSignal): Promise<readonly Option[]> {
  const found = await Promise.all([
    search<Cardholder>(text, cancelled, {
      path: '/cardholders',
      view: 'cardholders',
      icon: 'people',
      idOf: ({ id }) => id,
      labelOf: ({ firstName, lastName, email }) => [firstName, lastName, email].filter(Boolean).join(' '),
    }),
    search<Card>(text, cancelled, {
      path: '/cards',
      view: 'cards',
      icon: 'card',
      idOf: ({ id }) => id,
      labelOf: ({ brand, last4, nameOnCard }) => `${brand} •••• ${last4} ${nameOnCard}`,
    }),
    search<Transaction>(text, cancelled, {
      path: '/transactions',
      view: 'transactions',
      icon: 'transfer',
      idOf: ({ id }) => id,
      labelOf: ({ merchant, amount, currency }) => `${merchant.name} ${amount} ${currency}`,
    }),
    search<KycSession>(text, cancelled, {
      path: '/kyc-sessions',
      view: 'sessions',
      icon: 'session',
      idOf: ({ id }) => id,
      labelOf: ({ status }) => `KYC session, ${status}`,
    }),
    search<ShareToken>(text, cancelled, {
      path: '/share-tokens',
      view: 'tokens',
      icon: 'lock',
      idOf: ({ token }) => token,
      labelOf: ({ source, outcome }) => `Share token of ${source}, ${outcome}`,
    }),
  ]);
  return found.flat();
}

async function search<T>(text: string, cancelled: AbortSignal, kind: Kind<T>): Promise<Option[]> {
  const query = `${partnerQuery()}&limit=${MAX_OF_KIND}&q=${encodeURIComponent(text)}`;
  const rows = await control<readonly T[]>('GET', `${kind.path}?${query}`, undefined, cancelled).catch(
    () => [],
  );
  return rows.map(row => {
    const id = kind.idOf(row);
    return {
      id: `${kind.view} ${id}`,
      label: kind.labelOf(row),
      detail: id,
      group: 'Records',
      icon: kind.icon,
      run: () => go(kind.view, id),
    };
  });
}
