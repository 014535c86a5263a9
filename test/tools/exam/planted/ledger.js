// A ledger of card payments: webhooks are rows of an inbox, a worker turns them into rows of a table, and money is kept
// in cents. The tables have columns of a fixed length, like those of MySQL without strict mode.
import { isGenuine, planted, sleep } from './plumbing.js';

class Table {
  constructor(columns) {
    this.columns = columns;
    this.rows = [];
  }
  insert(row) {
    const fit = ([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, this.columns[name]) : value,
    ];
    this.rows.push(Object.fromEntries(Object.entries(row).map(fit)));
  }
  find(name, value) {
    return this.rows.find(row => row[name] === value);
  }
}

export function createLedger({ api, secret }) {
  const idLength = planted('id-column-too-short') ? 20 : 255;
  const payments = new Table({ id: idLength, cardId: 255, status: 20 });
  const inbox = new Table({ id: 255, body: 1_000_000 });
  const spentTwice = new Map();
  let working = Promise.resolve();

  const cents = amount => (planted('cents-truncated') ? Math.trunc(amount * 100) : Math.round(amount * 100));

  async function readPayment(id) {
    for (let attempt = 0; ; attempt++) {
      const response = await api(`/partner/transactions/${id}`).catch(() => ({ status: 0 }));
      const payment = response.status === 200 ? await response.json().catch(() => undefined) : undefined;
      if (payment) return payment;
      if (attempt === 8) throw new Error(`transaction ${id}: ${response.status}`);
      await sleep(
        response.status === 429 ? 1000 * Number(response.headers.get('retry-after')) : 50 * 2 ** attempt,
      );
    }
  }

  async function readOnce(id) {
    const response = await api(`/partner/transactions/${id}`);
    if (response.status !== 200) throw new Error(`transaction ${id}: ${response.status}`);
    return response.json();
  }

  function book({ id, cardId, status, amount, settledAmount }) {
    if (payments.find('id', id) === undefined) payments.insert({ id, cardId, status, cents: 0 });
    const row = payments.find('id', id);
    row.status = status;
    row.cents = status === 'settled' ? cents(settledAmount) : status === 'authorized' ? cents(amount) : 0;
  }

  async function process({ data }) {
    if (planted('settled-twice') && data.status === 'settled') {
      spentTwice.set(data.cardId, (spentTwice.get(data.cardId) ?? 0) + cents(data.settledAmount));
    }
    if (planted('marked-before-processed')) return book(await readOnce(data.id));
    book(await readPayment(data.id));
  }

  async function receive(request) {
    const rawBody = await request.text();
    if (!isGenuine(rawBody, request.headers.get('x-service-signature'), secret)) {
      return new Response(null, { status: 401 });
    }
    const event = JSON.parse(rawBody);
    if (event.eventType !== 'card.transaction') return new Response(null, { status: 202 });
    if (inbox.find('id', event.id) && !planted('settled-twice')) return new Response(null, { status: 202 });
    inbox.insert({ id: event.id, body: rawBody });
    working = working.then(() => process(event)).catch(error => console.error(error.message));
    return new Response(null, { status: 202 });
  }

  const total = (cardId, status) =>
    payments.rows
      .filter(row => row.cardId === cardId && row.status === status)
      .reduce((sum, row) => sum + row.cents, 0);
  return {
    receive,
    /** Cents that are settled and not yet settled, and the number of events about payments of the card. */
    statement: cardId => ({
      settled: planted('settled-twice') ? (spentTwice.get(cardId) ?? 0) : total(cardId, 'settled'),
      held: total(cardId, 'authorized'),
      entries: inbox.rows.filter(({ body }) => body.includes(`"${cardId}"`)).length,
    }),
    payment: id => payments.find('id', id)?.status,
  };
}
