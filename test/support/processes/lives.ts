import fc from 'fast-check';
import { type RealTime, realTime } from '../../../src/kernel/time/realtime.ts';
import { PROGRAM } from '../fixtures/people.ts';
import { type InProcess, inProcess } from '../in-process.ts';
import { fakeReceiver, SECRET } from '../receiver.ts';
import { START } from '../sandbox.ts';

/** Things that callers do to a sandbox, refused ones among them; records are told apart by their place in lists. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), who: fc.nat(5), token: fc.nat(20) }),
  fc.record({ kind: fc.constant('submit' as const), who: fc.nat(5) }),
  fc.record({ kind: fc.constant('issue' as const), who: fc.nat(5) }),
  fc.record({
    kind: fc.constant('move' as const),
    who: fc.nat(5),
    move: fc.constantFrom('activate', 'freeze'),
  }),
  fc.record({ kind: fc.constant('session' as const) }),
  fc.record({ kind: fc.constant('token' as const) }),
  fc.record({ kind: fc.constant('partner' as const), fixture: fc.constantFrom('empty', 'starter') }),
  fc.record({
    kind: fc.constant('pay' as const),
    who: fc.nat(5),
    type: fc.constantFrom('sale', 'cash'),
    cents: fc.nat(20_000),
  }),
  fc.record({
    kind: fc.constant('finish' as const),
    who: fc.nat(5),
    how: fc.constantFrom('settle', 'reverse'),
  }),
  fc.record({ kind: fc.constant('challenge' as const), who: fc.nat(5) }),
  fc.record({ kind: fc.constant('reveal' as const), who: fc.nat(5) }),
  fc.record({ kind: fc.constant('rotate' as const) }),
  fc.record({
    kind: fc.constant('webhooks' as const),
    types: fc.subarray(['card.issued', 'cardholder.created']),
  }),
  fc.record({ kind: fc.constant('advance' as const), ms: fc.constantFrom(0, 1_000, 2_000) }),
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Some steps, and the sandboxes to take them in. */
export interface SomeLife {
  sandbox(): InProcess;
  live(sandbox: InProcess): Promise<void>;
}

/** Wall time that stands, so that signatures and durations are alike; work due now begins as it would. */
const STILL: RealTime = { ...realTime, now: () => Date.parse(START), elapsed: () => 0 };

/** Any life of a sandbox. */
export const life: fc.Arbitrary<SomeLife> = fc.array(step, { maxLength: 25 }).map(steps => ({
  sandbox: () =>
    inProcess({ fixtures: ['starter'] }, { transport: fakeReceiver().transport, realTime: STILL }),
  async live(sandbox) {
    for (const each of steps) await take(each, sandbox);
    await sandbox.control('POST', '/deliveries/settle');
  },
}));

async function take(given: Step, { api, control }: InProcess): Promise<unknown> {
  const idAt = (list: string, place: number): string => {
    const { data } = api('GET', list).body;
    return data?.[place % Math.max(1, data.length)]?.id ?? 'none';
  };
  switch (given.kind) {
    case 'create':
      return api('POST', '/partner/cardholders', {
        externalUserId: `lives_${given.who}`,
        email: `lives_${given.who}@example.com`,
        phoneNumber: '+4915123456789',
        kycSource: 'idp1',
        idp1ShareToken: `idp1_test_approve_${given.token}`,
      });
    case 'submit':
      return api('POST', `/partner/cardholders/${idAt('/partner/cardholders', given.who)}/kyc`, {
        cardProgramId: PROGRAM,
      });
    case 'issue':
      return api('POST', '/partner/cards', {
        cardholderId: idAt('/partner/cardholders', given.who),
        cardProgramId: PROGRAM,
      });
    case 'move':
      return api('POST', `/partner/cards/${idAt('/partner/cards', given.who)}/${given.move}`);
    case 'session':
      return api('POST', '/partner/kyc-sessions', {});
    case 'token':
      return control('POST', '/share-tokens', {});
    case 'partner':
      return control('POST', '/partners', { fixture: given.fixture });
    case 'pay':
      return control('POST', '/transactions', {
        cardId: idAt('/partner/cards', given.who),
        amount: given.cents / 100,
        type: given.type,
      });
    case 'finish':
      return control('POST', `/transactions/${idAt('/partner/transactions', given.who)}/${given.how}`, {});
    case 'challenge':
      return control('POST', `/cards/${idAt('/partner/cards', given.who)}/3ds`, {});
    case 'reveal':
      return api('POST', `/partner/cards/${idAt('/partner/cards', given.who)}/reveal-html`, {});
    case 'rotate':
      return control('POST', '/partners/partner_globex/keys/rotate', {});
    case 'webhooks':
      return api('PATCH', '/partner/webhooks/config', {
        webhookUrl: 'https://hooks.example.com/',
        webhookSecret: SECRET,
        subscribedEvents: given.types,
      });
    case 'advance':
      return control('POST', '/clock/advance', { duration: `${given.ms}ms` });
  }
}
