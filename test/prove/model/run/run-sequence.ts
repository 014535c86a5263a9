import type { SendRequest } from '../../../support/in-process.ts';
import { ALL_TYPES, SECRET } from '../../../support/receiver.ts';
import type { Json } from '../../../support/sandbox.ts';
import type { Action } from '../actions.ts';
import { assertEqual } from '../assert-equal.ts';
import { compare, deliveriesOf } from '../compare.ts';
import { summarize } from '../deliveries.ts';
import { type Model, shareOf } from '../model.ts';
import { available } from '../money.ts';
import { personOf } from '../people.ts';
import { webhookUrlOf } from '../receivers.ts';
import { amountFor, hundredthsIn } from '../settings.ts';
import { LIMITS, PARTNERS } from '../state.ts';

const WORLD_CHANGES: readonly string[] = ['reset', 'restore', 'import', 'rewind'];
/** Longer than the whole retry schedule at the default speed. */
const ALL_RETRIES_MS = 3_600_000;
/** All entries: a sequence makes fewer than the history keeps. */
const HISTORY = '/history?limit=1000';

/** What the actions of a sequence have read. */
interface Kept {
  /** Exported worlds, by slot. */
  readonly documents: Map<number, Json>;
  /** How many entries the history had at each mark, by slot. */
  readonly marks: Map<number, number>;
}

/** What is kept before the first action. */
export function nothingKept(): Kept {
  return { documents: new Map(), marks: new Map() };
}

/** After a rewind, what was marked later is not in the history. */
function dropLaterMarks({ marks }: Kept, slot: number): void {
  for (const [other, length] of marks) if (length > (marks.get(slot) ?? 0)) marks.delete(other);
}

/** Runs actions in a sandbox and in the model. Throws at the first difference. */
export async function runSequence(
  send: SendRequest,
  model: Model,
  actions: readonly Action[],
): Promise<void> {
  const kept = nothingKept();
  await subscribeAll(send, model);
  for (const action of actions) {
    if (WORLD_CHANGES.includes(action.kind)) await compare(send, model);
    await step(send, model, action, kept);
    if (action.kind === 'reset') await subscribeAll(send, model);
  }
  await compare(send, model);
  const { now } = model.state;
  await step(send, model, { kind: 'advance', ms: ALL_RETRIES_MS }, kept);
  await compare(send, model);
  // An authorization that expires during the advance makes a delivery whose retries may still be due.
  assertEqual(
    model.state.deliveries.filter(({ status, createdAt }) => status === 'pending' && createdAt <= now),
    [],
  );
}

/** Subscribes both partners to all events, as in the model. */
export async function subscribeAll(send: SendRequest, { keyOf }: Model): Promise<void> {
  for (const partner of PARTNERS.keys()) {
    const { status } = await send(
      keyOf(partner),
      'PATCH',
      '/partner/webhooks/config',
      webhookConfig(partner, true),
    );
    assertEqual(status, 200);
  }
}

async function step(send: SendRequest, model: Model, action: Action, kept: Kept): Promise<void> {
  const expected = model.expect(action);
  const { status, body } = await perform(send, model, action, kept);
  const { code, reason } = body?.error ?? {};
  assertEqual(
    { status, code, reason },
    {
      status: expected.status,
      code: expected.code,
      reason: expected.reason,
    },
  );
  if (expected.declined !== undefined) assertEqual(body.declineReason ?? null, expected.declined);
  if (action.kind === 'export') kept.documents.set(action.slot, body);
  if (action.kind === 'mark') kept.marks.set(action.slot, body.length);
  if (status >= 400) return;
  if (action.kind === 'rewind') dropLaterMarks(kept, action.slot);
  expected.apply?.(action.kind === 'rotate' ? body.apiKey : (body?.id ?? ''));
  await send(null, 'POST', '/deliveries/settle');
  model.settle();
  for (const partner of PARTNERS.keys()) {
    const { body: balance } = await send(model.keyOf(partner), 'GET', '/partner/balance');
    assertEqual(hundredthsIn(model.state.assumed, balance.available), available(model.state, partner));
  }
}

/** Sends the request of an action to the sandbox. */
export async function perform(send: SendRequest, model: Model, action: Action, { documents, marks }: Kept) {
  const api = (method: string, path: string, body?: Json) =>
    send('partner' in action ? model.keyOf(action.partner) : null, method, path, body);
  const cardholderId =
    'user' in action ? (personOf(model.state, action.partner, action.user)?.id ?? 'ch_none') : '';
  const program = () =>
    'validProgram' in action && action.validProgram ? PARTNERS[action.partner]?.program : 'prog_none';
  switch (action.kind) {
    case 'create': {
      const email = `person_${action.email}@example.com`;
      return api('POST', '/partner/cardholders', {
        externalUserId: `user_${action.user}`,
        email: action.upperCase ? email.toUpperCase() : email,
        phoneNumber: action.validPhone ? '+4915123456789' : 'none',
        kycSource: action.source,
        [`${action.source}ShareToken`]: action.token,
      });
    }
    case 'submit':
      return api('POST', `/partner/cardholders/${cardholderId}/kyc`, { cardProgramId: program() });
    case 'issue': {
      const inUnit = (amount: number) => amountFor(model.state.assumed, amount);
      const { limit, sale, cash } = LIMITS[action.smallLimits ? 'small' : 'large'];
      return api('POST', '/partner/cards', {
        cardholderId,
        cardProgramId: program(),
        limit: inUnit(limit),
        spendControl: { sales: limits(sale.map(inUnit)), cash: limits(cash.map(inUnit)) },
      });
    }
    case 'decide':
      return send(null, 'POST', `/cardholders/${model.person(action.person).id}/kyc/${action.verb}`);
    case 'status':
      return send(null, 'POST', `/cardholders/${model.person(action.person).id}/status`, {
        status: action.status,
      });
    case 'card':
      return api('POST', `/partner/cards/${model.card(action.card).id}/${action.move}`);
    case 'pay':
      return send(null, 'POST', '/transactions', {
        cardId: model.card(action.card).id,
        amount: action.amount / 100,
        type: action.type,
        ...(action.forced ? { declineReason: 'do_not_honor' } : {}),
      });
    case 'increment':
    case 'settle':
    case 'reverse': {
      const payment = model.payment(action.payment);
      const share = (percent: number) => (payment === undefined ? 1 : shareOf(payment, percent));
      const amount = (action.kind === 'increment' ? action.amount : share(action.percent)) / 100;
      const force = action.kind === 'settle' && action.force ? { force: true } : {};
      const path = `/transactions/${payment?.id ?? 'txn_none'}/${action.kind}`;
      return send(null, 'POST', path, { amount, ...force });
    }
    case 'topUp': {
      const partnerId = PARTNERS[action.partner]?.id;
      return send(null, 'POST', '/balance/top-up', { amount: action.amount / 100, partnerId });
    }
    case 'advance':
      return send(null, 'POST', '/clock/advance', { duration: `${action.ms}ms` });
    case 'reset':
      return send(null, 'POST', '/reset');
    case 'checkpoint':
      return send(null, 'POST', `/checkpoints/slot${action.slot}`);
    case 'restore':
      return send(null, 'POST', `/checkpoints/slot${action.slot}/restore`);
    case 'export':
      return send(null, 'GET', '/state');
    case 'import': {
      const document = documents.get(action.slot) ?? {};
      const response = await send(null, 'PUT', '/state', document);
      if (response.status === 204) assertEqual((await send(null, 'GET', '/state')).body, document);
      return response;
    }
    case 'mark':
      return send(null, 'GET', HISTORY);
    case 'rewind': {
      const { length } = (await send(null, 'GET', HISTORY)).body;
      // Without a mark, there are not so many entries.
      return send(null, 'POST', '/rewind', { steps: length - (marks.get(action.slot) ?? -1) });
    }
    case 'rotate': {
      const path = `/partners/${PARTNERS[action.partner]?.id}/keys/rotate`;
      return send(null, 'POST', path, { gracePeriod: `${action.hours}h` });
    }
    case 'call':
      return send(model.keys[action.key % model.keys.length] ?? '', 'GET', '/partner/balance');
    case 'webhooks':
      return api(
        'PATCH',
        '/partner/webhooks/config',
        webhookConfig(action.partner, action.hasUrl, action.types),
      );
    case 'retry':
      return api('POST', `/partner/webhooks/events/${await deliveryIdOf(send, model, action)}/retry`);
  }
}

/** The ID of a delivery that equals the one in the model; if several do, it does not matter which. */
async function deliveryIdOf(
  send: SendRequest,
  model: Model,
  action: Action & { kind: 'retry' },
): Promise<string> {
  const expected = model.delivery(action.delivery);
  if (expected === undefined) return 'evt_none';
  const found = (await deliveriesOf(send, model.state.assumed)).find(
    ({ summary }) => summary === summarize(expected),
  );
  return found?.id ?? 'evt_lost';
}

function webhookConfig(partner: number, hasUrl: boolean, types?: readonly string[]) {
  const [webhookUrl, webhookSecret] = [hasUrl ? webhookUrlOf(partner) : null, SECRET];
  return { webhookUrl, webhookSecret, subscribedEvents: types ?? ALL_TYPES };
}

function limits([perTransaction, daily, monthly, allTime]: readonly number[]) {
  return { perTransaction, daily, monthly, allTime };
}
