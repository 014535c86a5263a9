// The integration's own records. They are in memory here; in production these are tables, and `markSeen` is an insert
// into a table with a unique column, in the transaction that applies the event.

import { formatCents, toCents } from './money.js';

const CARD_ORDER = ['created', 'active', 'frozen', 'cancelled'];

export class Store {
  /** Users by their own ID, which is the externalUserId of their cardholder. */
  users = new Map();
  cards = new Map();
  transactions = new Map();
  /** Messages to customers: what must happen exactly once per event. */
  messages = [];
  #seen = new Set();
  #usersByCardholder = new Map();

  addUser(userId, email, phoneNumber) {
    if (this.users.has(userId)) return this.users.get(userId);
    const user = { userId, email, phoneNumber, cardholderId: null, cardId: null, kycStatus: 'pending' };
    this.users.set(userId, user);
    return user;
  }

  linkCardholder(user, cardholderId) {
    user.cardholderId = cardholderId;
    this.#usersByCardholder.set(cardholderId, user);
  }

  linkCard(user, cardId) {
    user.cardId = cardId;
    if (!this.cards.has(cardId)) this.cards.set(cardId, { status: 'created', changedAt: '' });
  }

  userOf(cardholderId) {
    return this.#usersByCardholder.get(cardholderId) ?? null;
  }

  /** Whether an event is new. False for a retry or a duplicate, which has the same ID. */
  markSeen(eventId) {
    if (this.#seen.has(eventId)) return false;
    this.#seen.add(eventId);
    return true;
  }

  hasSeen(eventId) {
    return this.#seen.has(eventId);
  }

  /** Applies an event about a record that is ours. Events come in any order, so an older one never undoes a newer one. */
  apply({ eventType, createdAt, data }) {
    if (eventType === 'cardholder.created') this.#tell(data.id, 'welcome');
    if (eventType === 'cardholder.kyc.updated' || eventType === 'cardholder.approved') {
      const user = this.userOf(data.id);
      // A decision is final: a late event with an earlier status changes nothing.
      if (data.kycStatus !== 'pending') user.kycStatus = data.kycStatus;
      if (eventType === 'cardholder.approved') this.#tell(data.id, 'you can have a card');
    }
    if (eventType === 'card.issued' || eventType === 'card.status.changed') {
      this.#applyCard(data.id, data.status, createdAt);
      this.#tell(data.id, `card ${data.status}`);
    }
    if (eventType === 'card.transaction') {
      this.#applyTransaction(data);
      if (data.status === 'settled')
        this.#tell(data.cardId, `paid ${formatCents(toCents(data.settledAmount))}`);
    }
  }

  /** The sum of the settled transactions of a card in cents, from webhooks alone. */
  settledCents(cardId) {
    let cents = 0;
    for (const each of this.transactions.values()) if (each.cardId === cardId) cents += each.settledCents;
    return cents;
  }

  #applyCard(id, status, changedAt) {
    const card = this.cards.get(id);
    const isNewer =
      changedAt > card.changedAt ||
      (changedAt === card.changedAt && CARD_ORDER.indexOf(status) > CARD_ORDER.indexOf(card.status));
    if (isNewer) this.cards.set(id, { status, changedAt });
  }

  #applyTransaction({ id, cardId, status, settledAmount, updatedAt }) {
    const known = this.transactions.get(id);
    // Every status but authorized is final. Among authorized ones the latest counts.
    const isNewer =
      known === undefined ||
      (known.status === 'authorized' && (status !== 'authorized' || updatedAt > known.updatedAt));
    if (!isNewer) return;
    const settledCents = status === 'settled' ? toCents(settledAmount) : 0;
    this.transactions.set(id, { cardId, status, settledCents, updatedAt });
  }

  #tell(recordId, text) {
    this.messages.push({ recordId, text });
  }
}
