import type { Operation } from '../../src/core/operation/operation.ts';
import { EARLIER, validInputs } from '../../src/sandbox/valid-inputs.ts';
import { shortTimers } from '../support/operation-inputs.ts';
import { fakeReceiver, SECRET, subscribe } from '../support/receiver.ts';
import { startSandbox, type TestSandbox } from '../support/sandbox.ts';

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
    { fixtures: ['starter'], rateLimit: 0 },
    { onBug: error => bugs.push(error), realTime: shortTimers, transport: fakeReceiver().transport },
  );
  const ids = await populate(sandbox);
  await sandbox.control('POST', '/checkpoints/other');
  await sandbox.control('POST', '/checkpoints/before');
  const { body: state } = await sandbox.control('GET', '/state');
  // The state of one random stream is enough.
  const bodies = new Map([...OTHER_BODIES, ['state.put', [{ ...state, random: { req: state.random.req } }]]]);
  const earlier: readonly string[] = Object.values(EARLIER);
  return {
    origin: sandbox.origin,
    bugs,
    idFor: ({ id, path }) => {
      const [known] = validInputs(id).flatMap(({ params = {} }) => Object.values(params));
      const [, kind = ''] = /\/([\w-]+)\/\{/.exec(path) ?? [];
      return known === undefined || earlier.includes(known) ? (ids[kind] ?? 'some_id') : known;
    },
    bodiesFor: ({ id }) => {
      const valid = bodies.get(id) ?? validInputs(id).map(({ body = {} }) => body);
      return valid.length > 0 ? valid : [{}];
    },
  };
}

/** Creates the records that the fixture lacks. Returns an ID of each kind, by the segment of paths before it. */
async function populate(sandbox: TestSandbox): Promise<Readonly<Record<string, string>>> {
  const { api, control } = sandbox;
  // Without a URL events fail at once and can be retried.
  await api('PATCH', '/partner/webhooks/config', { subscribedEvents: ['card.issued'] });
  const failed = (await control('POST', '/events', { eventType: 'card.issued' })).body.id;
  const challenge = (await control('POST', '/cards/card_mia_active/3ds', {})).body.challengeId;
  await control('POST', '/share-tokens', {});
  await api('POST', '/partner/cards/card_mia_active/reveal-html', {});
  await subscribe(sandbox, ['card.issued', 'balance.top_up']);
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/deliveries/settle');
  const webhookFault = { kind: 'delay', eventType: 'card.3ds_otp', times: 1, delayMs: 1 };
  return {
    'webhook-faults': (await control('POST', '/webhook-faults', webhookFault)).body.id,
    stories: 'card-lifecycle',
    cards: 'card_mia_active',
    cardholders: 'ch_nora_in_flight',
    transactions: 'txn_mia_open',
    'kyc-sessions': 'kycs_omar_pending',
    events: failed,
    deliveries: failed,
    partners: 'partner_globex',
    '3ds': challenge,
    checkpoints: 'other',
    worlds: 'main',
  };
}

/** Valid bodies that `validInputs` does not have, or not in each variant. */
const OTHER_BODIES: ReadonlyMap<string, readonly object[]> = new Map<string, readonly object[]>([
  [
    'webhooks.changeConfig',
    [{ webhookUrl: 'https://hooks.example/', webhookSecret: SECRET, subscribedEvents: ['card.issued'] }],
  ],
  ['history.rewind', [{ steps: 1 }]],
  ['stories.play', [{ to: 1 }]],
  ['clock.freeze', [{ at: '2026-03-16T10:00:00Z' }]],
  ['partners.add', [{ name: 'New', fixture: 'empty' }]],
  [
    'partners.updateSettings',
    [{ ipAllowList: ['localhost'], allowedOrigins: ['https://app.example'], rateLimitPerMinute: 9 }],
  ],
  ['partners.rotateKey', [{ gracePeriod: '1h' }]],
  ['kycSessions.reject', [{ identity: { firstName: 'Ada' }, reasons: ['underage'] }]],
  ['cardholders.kyc.reject', [{ reasons: ['document_expired', 'other'] }]],
  ['deliveries.wait', [{ eventType: 'card.issued', status: 'failed', timeoutMs: 1 }]],
  ['transactions.settle', [{ amount: 1 }, { amount: 1_000, force: true }]],
  ['transactions.increment', [{ amount: 1 }]],
  ['transactions.reverse', [{ amount: 1 }]],
  [
    'faults.arm',
    [
      { method: 'GET', path: '/partner/cards', status: 503, retryAfter: 1, body: { a: 1 }, delayMs: 1 },
      { drop: true, when: 'after', after: 1, times: 1 },
    ],
  ],
]);
