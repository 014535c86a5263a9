import type { Ask } from '../../../support/in-process.ts';
import { ALL_TYPES, SECRET } from '../../../support/receiver.ts';
import type { Json } from '../../../support/sandbox.ts';
import type { Action } from '../actions.ts';
import { compare, deliveriesOf } from '../compare.ts';
import { lineOf } from '../deliveries.ts';
import { type Model, partOf } from '../model.ts';
import { available } from '../money.ts';
import { personOf } from '../people.ts';
import { hookOf } from '../receivers.ts';
import { same } from '../same.ts';
import { LIMITS, PARTNERS } from '../state.ts';

const SWAPS: readonly string[] = ['reset', 'restore', 'import'];
/** Long enough for the whole ladder, at the usual speed. */
const LADDER_MS = 3_600_000;

/** Plays a story in a sandbox and in the model; whatever they disagree about fails. */
export async function play(ask: Ask, model: Model, actions: readonly Action[]): Promise<void> {
  const documents = new Map<number, Json>();
  await listen(ask, model);
  for (const given of actions) {
    if (SWAPS.includes(given.kind)) await compare(ask, model);
    await step(ask, model, given, documents);
    if (given.kind === 'reset') await listen(ask, model);
  }
  await compare(ask, model);
  await step(ask, model, { kind: 'advance', ms: LADDER_MS }, documents);
  await compare(ask, model);
  same(
    model.state.deliveries.filter(({ status }) => status === 'pending'),
    [],
  );
}

/** Has both partners subscribe to everything, as the model has them. */
export async function listen(ask: Ask, { keyOf }: Model): Promise<void> {
  for (const partner of PARTNERS.keys()) {
    const { status } = await ask(
      keyOf(partner),
      'PATCH',
      '/partner/webhooks/config',
      hooksBody(partner, true),
    );
    same(status, 200);
  }
}

async function step(ask: Ask, model: Model, given: Action, documents: Map<number, Json>): Promise<void> {
  const expected = model.expect(given);
  const { status, body } = await perform(ask, model, given, documents);
  const { code, reason } = body?.error ?? {};
  same(
    { status, code, reason },
    {
      status: expected.status,
      code: expected.code,
      reason: expected.reason,
    },
  );
  if (given.kind === 'pay') same(body.declineReason, expected.declined);
  if (given.kind === 'export') documents.set(given.slot, body);
  if (status >= 400) return;
  expected.leave?.(given.kind === 'rotate' ? body.apiKey : (body?.id ?? ''));
  await ask(null, 'POST', '/deliveries/settle');
  model.settle();
  for (const partner of PARTNERS.keys()) {
    const { body: balance } = await ask(model.keyOf(partner), 'GET', '/partner/balance');
    same(Math.round(balance.available * 100), available(model.state, partner));
  }
}

/** Asks an action of the sandbox; ids are those that it gave out. */
export async function perform(ask: Ask, model: Model, given: Action, documents: ReadonlyMap<number, Json>) {
  const api = (method: string, path: string, body?: Json) =>
    ask('partner' in given ? model.keyOf(given.partner) : null, method, path, body);
  const who = 'who' in given ? (personOf(model.state, given.partner, given.who)?.id ?? 'ch_none') : '';
  const program = () => ('known' in given && given.known ? PARTNERS[given.partner]?.program : 'prog_none');
  switch (given.kind) {
    case 'create': {
      const email = `person_${given.email}@example.com`;
      return api('POST', '/partner/cardholders', {
        externalUserId: `user_${given.who}`,
        email: given.capitals ? email.toUpperCase() : email,
        phoneNumber: given.valid ? '+4915123456789' : 'none',
        kycSource: given.source,
        [`${given.source}ShareToken`]: given.token,
      });
    }
    case 'submit':
      return api('POST', `/partner/cardholders/${who}/kyc`, { cardProgramId: program() });
    case 'issue': {
      const { limit, sale, cash } = LIMITS[given.small ? 'small' : 'large'];
      return api('POST', '/partner/cards', {
        cardholderId: who,
        cardProgramId: program(),
        limit: limit / 100,
        spendControl: { sales: windows(sale), cash: windows(cash) },
      });
    }
    case 'decide':
      return ask(null, 'POST', `/cardholders/${model.person(given.person).id}/kyc/${given.verb}`);
    case 'status':
      return ask(null, 'POST', `/cardholders/${model.person(given.person).id}/status`, {
        status: given.status,
      });
    case 'card':
      return api('POST', `/partner/cards/${model.card(given.card).id}/${given.move}`);
    case 'pay':
      return ask(null, 'POST', '/transactions', {
        cardId: model.card(given.card).id,
        amount: given.amount / 100,
        type: given.type,
        ...(given.forced ? { declineReason: 'do_not_honor' } : {}),
      });
    case 'settle': {
      const payment = model.payment(given.payment);
      const amount = payment === undefined ? 1 : partOf(payment, given.percent) / 100;
      return ask(null, 'POST', `/transactions/${payment?.id ?? 'txn_none'}/settle`, { amount });
    }
    case 'reverse':
      return ask(null, 'POST', `/transactions/${model.payment(given.payment)?.id ?? 'txn_none'}/reverse`);
    case 'topUp': {
      const partnerId = PARTNERS[given.partner]?.id;
      return ask(null, 'POST', '/balance/top-up', { amount: given.amount / 100, partnerId });
    }
    case 'advance':
      return ask(null, 'POST', '/clock/advance', { duration: `${given.ms}ms` });
    case 'reset':
      return ask(null, 'POST', '/reset');
    case 'checkpoint':
      return ask(null, 'POST', `/checkpoints/slot${given.slot}`);
    case 'restore':
      return ask(null, 'POST', `/checkpoints/slot${given.slot}/restore`);
    case 'export':
      return ask(null, 'GET', '/state');
    case 'import': {
      const document = documents.get(given.slot) ?? {};
      const reply = await ask(null, 'PUT', '/state', document);
      if (reply.status === 204) same((await ask(null, 'GET', '/state')).body, document);
      return reply;
    }
    case 'rotate': {
      const path = `/partners/${PARTNERS[given.partner]?.id}/keys/rotate`;
      return ask(null, 'POST', path, { gracePeriod: `${given.hours}h` });
    }
    case 'call':
      return ask(model.keys[given.key % model.keys.length] ?? '', 'GET', '/partner/balance');
    case 'hooks':
      return api('PATCH', '/partner/webhooks/config', hooksBody(given.partner, given.hasUrl, given.types));
    case 'retry':
      return api('POST', `/partner/webhooks/events/${await idOf(ask, model, given)}/retry`);
  }
}

/** The id of a delivery that is just like the model's: which of several does not matter. */
async function idOf(ask: Ask, model: Model, given: Action & { kind: 'retry' }): Promise<string> {
  const wanted = model.delivery(given.delivery);
  if (wanted === undefined) return 'evt_none';
  const found = (await deliveriesOf(ask)).find(({ line }) => line === lineOf(wanted));
  return found?.id ?? 'evt_lost';
}

function hooksBody(partner: number, hasUrl: boolean, types?: readonly string[]) {
  const [webhookUrl, webhookSecret] = [hasUrl ? hookOf(partner) : null, SECRET];
  return { webhookUrl, webhookSecret, subscribedEvents: types ?? ALL_TYPES };
}

function windows([perTransaction, daily, monthly, allTime]: readonly [number, number, number, number]) {
  const [each, day, month, ever] = [perTransaction / 100, daily / 100, monthly / 100, allTime / 100];
  return { perTransaction: each, daily: day, monthly: month, allTime: ever };
}
