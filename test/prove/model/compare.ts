import type { SendRequest } from '../../support/in-process.ts';
import type { Json } from '../../support/sandbox.ts';
import { assertEqual } from './assert-equal.ts';
import { isListed, summarize } from './deliveries.ts';
import type { Model } from './model.ts';
import { available, heldAndSettled, spentBy } from './money.ts';
import { readEvent } from './receivers.ts';
import { type Assumed, hundredthsIn } from './settings.ts';
import { PARTNERS } from './state.ts';

const time = (text: string | null) => (text === null ? null : Date.parse(text));
const numberOf = (partnerId: string) => PARTNERS.findIndex(({ id }) => id === partnerId);

/** Everything that a partner can read must match the model, to the hundredth, and must not belong to the other partner. */
export async function compare(send: SendRequest, model: Model): Promise<void> {
  for (const partner of PARTNERS.keys()) await comparePartner(send, model, partner);
  const { state } = model;
  const { body: clock } = await send(null, 'GET', '/clock');
  assertEqual(time(clock.now), state.now);
  const summaries = (await deliveriesOf(send, state.assumed)).map(({ summary }) => summary);
  assertEqual(summaries.sort(), state.deliveries.map(summarize).sort());
}

/** Every delivery of the sandbox, with its summary as the model writes it. */
export async function deliveriesOf(
  send: SendRequest,
  assumed: Assumed,
): Promise<{ id: string; summary: string }[]> {
  const { body } = await send(null, 'GET', '/deliveries');
  return body.map((shown: Json) => {
    const { id, partnerId, eventType: type, resourceId: resource, createdAt, status, payload } = shown;
    const { subject, ...event } = readEvent(payload, assumed);
    const shownEvent = { type, createdAt: time(createdAt) };
    assertEqual(event.type === null ? shownEvent : event, shownEvent);
    const attempts = shown.attempts.map(({ at, cause }: Json) => ({
      at: Date.parse(at),
      ok: cause === null,
    }));
    const partner = numberOf(partnerId);
    const next = time(shown.nextRetryAt);
    const delivery = {
      partner,
      type,
      resource,
      subject,
      createdAt: Date.parse(createdAt),
      status,
      attempts,
      next,
    };
    return { id, summary: summarize(delivery) };
  });
}

async function comparePartner(send: SendRequest, model: Model, partner: number): Promise<void> {
  const { state } = model;
  const own = <T extends { partner: number }>(list: readonly T[]) =>
    list.filter(each => each.partner === partner);
  const read = async (path: string) => {
    const { status, body } = await send(model.keyOf(partner), 'GET', path);
    assertEqual(status, 200);
    return body;
  };
  const hundredths = (amount: number) => hundredthsIn(state.assumed, amount);
  const isOldestFirst = state.assumed['list-order'] === 'oldest';
  const list = async (path: string) => {
    const { data } = await read(`${path}?limit=100`);
    return isOldestFirst ? data : data.reverse();
  };

  const balance = await read('/partner/balance');
  const { held, settled } = heldAndSettled(state, partner);
  const spendable = available(state, partner);
  assertEqual([hundredths(balance.available), hundredths(balance.held)], [spendable, held]);
  assertEqual(spendable + held + settled, (PARTNERS[partner]?.opening ?? 0) + (state.toppedUp[partner] ?? 0));

  const payments = await list('/partner/transactions');
  assertEqual(
    payments.map(({ id, status, amount, settledAmount, reversalReason }: Json) =>
      [id, status, hundredths(amount), hundredths(settledAmount ?? 0), reversalReason].join(' '),
    ),
    own(state.payments).map(({ id, status, amount, charged, reversal }) =>
      [id, status, amount, status === 'settled' ? charged : 0, reversal].join(' '),
    ),
  );

  const cards = await list('/partner/cards');
  assertEqual(
    cards.map(({ id, status }: Record<string, string>) => `${id} ${status}`),
    own(state.cards).map(({ id, status }) => `${id} ${status}`),
  );
  for (const { id, spendControl } of cards) {
    const { sales, cash } = spendControl.spent;
    const spent = [sales, cash].map(windows =>
      ['daily', 'monthly', 'allTime'].map(window => hundredths(windows[window])),
    );
    assertEqual(spent, [spentBy(state, id, 'sale'), spentBy(state, id, 'cash')]);
  }

  const shown = await send(null, 'GET', `/cardholders?partnerId=${PARTNERS[partner]?.id}`);
  const people = shown.body.reverse().map((each: Json) => {
    const { id, email, kycSource: source, status, kycStatus, lockReason: lock, kyc } = each;
    return { id, email, source, status, kycStatus, lock, outcome: kyc.outcome };
  });
  assertEqual(
    people,
    own(state.people).map(({ id, email, source, status, kycStatus, lock, outcome }) => ({
      id,
      email,
      source,
      status,
      kycStatus,
      lock,
      outcome,
    })),
  );
  assertEqual(
    (await list('/partner/cardholders')).map(({ id }: { id: string }) => id),
    own(state.people).map(({ id }) => id),
  );
  for (const { holder } of own(state.cards)) {
    assertEqual(state.people.find(({ id }) => id === holder)?.kycStatus, 'approved');
  }

  assertEqual((await read('/partner/usage/records?limit=1')).total, state.usage[partner]);
  const recorded = own(state.deliveries).filter(each => isListed(state, each));
  assertEqual((await read('/partner/webhooks/events?limit=1')).total, recorded.length);

  const foreign = <T extends { partner: number; id: string }>(rows: readonly T[]) =>
    rows.findLast(each => each.partner !== partner)?.id;
  for (const [path, id] of [
    ['cards', foreign(state.cards)],
    ['cardholders', foreign(state.people)],
    ['transactions', foreign(state.payments)],
  ]) {
    if (id === undefined) continue;
    assertEqual((await send(model.keyOf(partner), 'GET', `/partner/${path}/${id}`)).status, 404);
  }
}
