import fc from 'fast-check';
import { type RealTime, realTime } from '../../../src/core/time/realtime.ts';
import { CARD_PROGRAM } from '../cardholders.ts';
import { type InProcess, startInProcess } from '../in-process.ts';
import { fakeReceiver, SECRET } from '../receiver.ts';
import { START } from '../sandbox.ts';

/** Actions of callers, including refused ones. Records are identified by their position in lists. */
const anyAction = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), user: fc.nat(5), token: fc.nat(20) }),
  fc.record({ kind: fc.constant('submit' as const), user: fc.nat(5) }),
  fc.record({ kind: fc.constant('issue' as const), user: fc.nat(5) }),
  fc.record({
    kind: fc.constant('move' as const),
    user: fc.nat(5),
    move: fc.constantFrom('activate', 'freeze'),
  }),
  fc.record({ kind: fc.constant('session' as const) }),
  fc.record({ kind: fc.constant('token' as const) }),
  fc.record({ kind: fc.constant('partner' as const), fixture: fc.constantFrom('empty', 'starter') }),
  fc.record({
    kind: fc.constant('pay' as const),
    user: fc.nat(5),
    type: fc.constantFrom('sale', 'cash'),
    cents: fc.nat(20_000),
  }),
  fc.record({
    kind: fc.constant('finish' as const),
    user: fc.nat(5),
    how: fc.constantFrom('settle', 'reverse'),
  }),
  fc.record({ kind: fc.constant('challenge' as const), user: fc.nat(5) }),
  fc.record({ kind: fc.constant('reveal' as const), user: fc.nat(5) }),
  fc.record({ kind: fc.constant('rotate' as const) }),
  fc.record({
    kind: fc.constant('webhooks' as const),
    types: fc.subarray(['card.issued', 'cardholder.created']),
  }),
  fc.record({ kind: fc.constant('advance' as const), ms: fc.constantFrom(0, 1_000, 2_000) }),
);

type Action = typeof anyAction extends fc.Arbitrary<infer S> ? S : never;

/** A sequence of actions, and new sandboxes to run it in. */
export interface ActionSequence {
  sandbox(): InProcess;
  run(sandbox: InProcess): Promise<void>;
}

/** Frozen wall time, so that signatures and durations are equal. Timers still fire. */
const FROZEN: RealTime = { ...realTime, now: () => Date.parse(START), elapsed: () => 0 };

/** Any sequence of actions. */
export const anySequence: fc.Arbitrary<ActionSequence> = fc
  .array(anyAction, { maxLength: 25 })
  .map(actions => ({
    sandbox: () =>
      startInProcess({ fixtures: ['starter'] }, { transport: fakeReceiver().transport, realTime: FROZEN }),
    async run(sandbox) {
      for (const each of actions) await perform(each, sandbox);
      await sandbox.control('POST', '/deliveries/settle');
    },
  }));

async function perform(action: Action, { api, control }: InProcess): Promise<unknown> {
  const idAt = (list: string, index: number): string => {
    const { data } = api('GET', list).body;
    return data?.[index % Math.max(1, data.length)]?.id ?? 'none';
  };
  switch (action.kind) {
    case 'create':
      return api('POST', '/partner/cardholders', {
        externalUserId: `user_${action.user}`,
        email: `user_${action.user}@example.com`,
        phoneNumber: '+4915123456789',
        kycSource: 'idp1',
        idp1ShareToken: `idp1_test_approve_${action.token}`,
      });
    case 'submit':
      return api('POST', `/partner/cardholders/${idAt('/partner/cardholders', action.user)}/kyc`, {
        cardProgramId: CARD_PROGRAM,
      });
    case 'issue':
      return api('POST', '/partner/cards', {
        cardholderId: idAt('/partner/cardholders', action.user),
        cardProgramId: CARD_PROGRAM,
      });
    case 'move':
      return api('POST', `/partner/cards/${idAt('/partner/cards', action.user)}/${action.move}`);
    case 'session':
      return api('POST', '/partner/kyc-sessions', {});
    case 'token':
      return control('POST', '/share-tokens', {});
    case 'partner':
      return control('POST', '/partners', { fixture: action.fixture });
    case 'pay':
      return control('POST', '/transactions', {
        cardId: idAt('/partner/cards', action.user),
        amount: action.cents / 100,
        type: action.type,
      });
    case 'finish':
      return control('POST', `/transactions/${idAt('/partner/transactions', action.user)}/${action.how}`, {});
    case 'challenge':
      return control('POST', `/cards/${idAt('/partner/cards', action.user)}/3ds`, {});
    case 'reveal':
      return api('POST', `/partner/cards/${idAt('/partner/cards', action.user)}/reveal-html`, {});
    case 'rotate':
      return control('POST', '/partners/partner_globex/keys/rotate', {});
    case 'webhooks':
      return api('PATCH', '/partner/webhooks/config', {
        webhookUrl: 'https://hooks.example.com/',
        webhookSecret: SECRET,
        subscribedEvents: action.types,
      });
    case 'advance':
      return control('POST', '/clock/advance', { duration: `${action.ms}ms` });
  }
}
