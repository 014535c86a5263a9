// What the integration reports: fees by month, what a card has spent, and the partner's contacts.

import { sumInCents, toCents } from './money.js';

/** The months from one moment of the service's clock to another, both included, as YYYY-MM in UTC. */
export function monthsBetween(from, to) {
  const months = [];
  let [year, month] = from.slice(0, 7).split('-').map(Number);
  const last = to.slice(0, 7);
  for (;;) {
    const text = `${year}-${String(month).padStart(2, '0')}`;
    if (text > last) return months;
    months.push(text);
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
  }
}

/** The first and the last moment of a month in UTC. Both ends of the service's filters are inclusive. */
export function boundsOf(month) {
  const [year, number] = month.split('-').map(Number);
  const end = Date.UTC(year, number, 1); // Months count from 0 here, so this is the start of the next month.
  return { from: `${month}-01T00:00:00.000Z`, to: new Date(end - 1).toISOString() };
}

/** The fees of a month in cents, by the ID of the record that each is for. */
export async function feesOfMonth(client, month) {
  const fees = new Map();
  for await (const { referenceId, amount } of client.list('/partner/usage/records', boundsOf(month))) {
    fees.set(referenceId, (fees.get(referenceId) ?? 0) + toCents(amount));
  }
  return fees;
}

/** What a card has spent in cents: its settled transactions. */
export function spentOn(client, cardId) {
  const settled = client.list('/partner/transactions', { cardId, status: 'settled' });
  return sumInCents(settled, transaction => transaction.settledAmount);
}

/** The contacts of all cardholders, as the support desk sees them. */
export async function contacts(client) {
  const all = [];
  for await (const cardholder of client.list('/partner/cardholders')) all.push(contactOf(cardholder));
  return all;
}

function contactOf({ id, firstName, lastName, phoneNumber }) {
  const name = `${firstName} ${lastName}`.trim();
  // Not everybody has a telephone number.
  const phone = phoneNumber === null ? 'none' : `…${phoneNumber.slice(-3)}`;
  return { id, name, phone };
}
