import type { Operation } from '../../src/core/operation/operation.ts';
import {
  CARD_PROGRAM,
  createApprovedCardholder,
  createCardholder,
  createSubmittedCardholder,
} from '../support/cardholders.ts';
import { shortTimers } from '../support/operation-inputs.ts';
import { fakeReceiver, SECRET, subscribe } from '../support/receiver.ts';
import { newCardholder, startSandbox, type TestSandbox } from '../support/sandbox.ts';

type Ids = Awaited<ReturnType<typeof populate>>;

/** A sandbox with records of every kind, and valid requests for each of its operations. */
export interface FuzzTarget {
  readonly origin: string;
  /** Internal errors that the sandbox has reported. */
  readonly bugs: readonly unknown[];
  /** A valid ID for the operation's path. */
  idFor(operation: Operation): string;
  /** Valid bodies, one per variant; an empty one for operations without a body. */
  bodiesFor(operation: Operation): readonly object[];
}

/** Starts a target and saves the checkpoint `before`. */
export async function startFuzzTarget(): Promise<FuzzTarget> {
  const bugs: unknown[] = [];
  const sandbox = await startSandbox(
    { rateLimit: 0 },
    { onBug: error => bugs.push(error), realTime: shortTimers, transport: fakeReceiver().transport },
  );
  const ids = await populate(sandbox);
  await sandbox.control('POST', '/checkpoints/other');
  await sandbox.control('POST', '/checkpoints/before');
  const { body: state } = await sandbox.control('GET', '/state');
  const bodies: Readonly<Record<string, readonly object[]>> = {
    ...bodiesOf(ids),
    // The state of one random stream is enough.
    'state.put': [{ ...state, random: { req: state.random.req } }],
  };
  return {
    origin: sandbox.origin,
    bugs,
    idFor: ({ id, path }) => {
      const [, kind = ''] = /\/([\w-]+)\/\{/.exec(path) ?? [];
      const byKind: Readonly<Record<string, string>> = ids.byKind;
      const byOperation: Readonly<Record<string, string>> = ids.byOperation;
      return byOperation[id] ?? byKind[kind] ?? 'some_id';
    },
    bodiesFor: ({ id }) => bodies[id] ?? [{}],
  };
}

/** Creates records of every kind and returns their IDs. */
async function populate(sandbox: TestSandbox) {
  const { api, control } = sandbox;
  const idOf = async (reply: ReturnType<typeof api>): Promise<string> => (await reply).body.id;
  // Without a URL events fail at once and can be retried.
  await api('PATCH', '/partner/webhooks/config', { subscribedEvents: ['card.issued'] });
  const cardholderId = await createApprovedCardholder(sandbox);
  const issue = () => idOf(api('POST', '/partner/cards', { cardholderId, cardProgramId: CARD_PROGRAM }));
  const [newCard, card, frozen] = [await issue(), await issue(), await issue()];
  for (const each of [card, frozen]) await api('POST', `/partner/cards/${each}/activate`);
  await api('POST', `/partner/cards/${frozen}/freeze`);
  const { body: failed } = await control('GET', '/deliveries?eventType=card.issued');
  const payment = await idOf(control('POST', '/transactions', { cardId: card, amount: 2 }));
  const challenge = (await control('POST', `/cards/${card}/3ds`, {})).body.challengeId;
  const [session, approvedSession] = [
    await idOf(api('POST', '/partner/kyc-sessions', {})),
    await idOf(api('POST', '/partner/kyc-sessions', {})),
  ];
  await control('POST', `/kyc-sessions/${approvedSession}/approve`);
  const { token } = (await control('POST', '/share-tokens', {})).body;
  await api('POST', `/partner/cards/${card}/reveal-html`, {});
  const [cardholder, inFlight] = [await createCardholder(sandbox), await createSubmittedCardholder(sandbox)];
  await subscribe(sandbox, ['card.issued', 'balance.top_up']);
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/deliveries/settle');
  const webhookFault = { kind: 'delay', eventType: 'card.3ds_otp', times: 1, delayMs: 1 };
  const byKind = {
    'webhook-faults': await idOf(control('POST', '/webhook-faults', webhookFault)),
    stories: 'card-lifecycle',
    cards: card,
    cardholders: cardholder,
    'card-programs': CARD_PROGRAM,
    programs: CARD_PROGRAM,
    'share-tokens': token,
    transactions: payment,
    'kyc-sessions': session,
    events: failed[0].id,
    deliveries: failed[0].id,
    partners: 'partner_globex',
    '3ds': challenge,
    checkpoints: 'other',
    worlds: 'main',
  };
  const byOperation = {
    'cards.activate': newCard,
    'cards.unfreeze': frozen,
    'cardholders.kyc.approve': inFlight,
    'cardholders.kyc.reject': inFlight,
  };
  return { byKind, byOperation, card, cardholderId, approvedSession };
}

function bodiesOf({ card, cardholderId, approvedSession }: Ids): Readonly<Record<string, readonly object[]>> {
  const identity = { firstName: 'Ada', lastName: 'Lovelace', residenceCountryCode: 'DE' };
  const merchant = { name: 'Shop', mcc: '5411', city: 'Berlin', country: 'DE' };
  const amounts = { perTransaction: 1, daily: 2, monthly: 3, allTime: 4.5 };
  const config = {
    webhookUrl: 'https://hooks.example/',
    webhookSecret: SECRET,
    subscribedEvents: ['card.issued'],
  };
  const { idp1ShareToken, ...person } = newCardholder({ residenceCountryCode: 'DE' });
  return {
    'cardholders.create': [
      { ...person, kycSource: 'idp1', idp1ShareToken },
      { ...person, kycSource: 'idp2', idp2ShareToken: 'idp2_test_approve_odd' },
      { ...person, kycSource: 'web', kycSessionId: approvedSession },
    ],
    'cardholders.initiateKyc': [{ cardProgramId: CARD_PROGRAM }],
    'kycSessions.create': [{ externalUserId: 'user_odd', redirectUrl: 'https://app.example/' }],
    'cards.issue': [
      {
        cardholderId,
        cardProgramId: CARD_PROGRAM,
        type: 'virtual',
        nameOnCard: 'ADA',
        limit: 12.5,
        spendControl: { sales: amounts, cash: amounts },
      },
    ],
    'cards.issueActive': [{ cardholderId, cardProgramId: CARD_PROGRAM, activate: false, nameOnCard: 'ADA' }],
    'cards.setLimits': [{ limit: 12.5, spendControl: { sales: amounts, cash: amounts } }],
    'deliveries.settle': [{ partnerId: 'partner_acme' }],
    'cards.reveal': [{ stylesheetUrl: 'https://app.example/style.css', copyPan: true }],
    'webhooks.updateConfig': [config],
    'webhooks.changeConfig': [config],
    'history.rewind': [{ steps: 1 }],
    'stories.play': [{ to: 1 }],
    'clock.advance': [{ duration: '1h' }],
    'clock.freeze': [{ at: '2026-03-16T10:00:00Z' }],
    'partners.add': [{ name: 'New', fixture: 'empty' }],
    'partners.updateSettings': [
      {
        ipAllowList: ['localhost'],
        allowedOrigins: ['https://app.example'],
        rateLimitPerMinute: 9,
        lowThreshold: 1.25,
        alertThreshold: 2.5,
      },
    ],
    'partners.rotateKey': [{ gracePeriod: '1h' }],
    'shareTokens.mint': [
      { partnerId: 'partner_acme', source: 'idp2', outcome: 'manual', identity, expiresIn: '1h' },
    ],
    'kycSessions.approve': [{ identity }],
    'kycSessions.reject': [{ identity, reasons: ['underage'] }],
    'cardholders.kyc.reject': [{ reasons: ['document_expired', 'other'] }],
    'cardholders.status': [{ status: 'suspended' }],
    'events.raise': [{ eventType: 'balance.top_up', partnerId: 'partner_acme', data: { available: 1 } }],
    'deliveries.wait': [{ eventType: 'card.issued', status: 'failed', timeoutMs: 1 }],
    'webhookFaults.add': [{ kind: 'delay', eventType: 'card.issued', times: 1, delayMs: 1 }],
    'transactions.authorize': [{ cardId: card, amount: 1, type: 'sale', merchant }],
    'transactions.settle': [{ amount: 1 }, { amount: 1_000, force: true }],
    'transactions.increment': [{ amount: 1 }],
    'transactions.reverse': [{ amount: 1 }],
    'threeDSecure.start': [{ amount: 1, merchant }],
    'threeDSecure.verify': [{ otp: '000000' }],
    'balance.topUp': [{ amount: 1, partnerId: 'partner_globex' }],
    'faults.arm': [
      { method: 'GET', path: '/partner/cards', status: 503, retryAfter: 1, body: { a: 1 }, delayMs: 1 },
      { drop: true, when: 'after', after: 1, times: 1 },
    ],
  };
}
