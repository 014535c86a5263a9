import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inProcess } from '../support/in-process.ts';
import { type Action, Life } from '../support/life-model.ts';
import { PROGRAM } from '../support/people.ts';

const who = fc.nat(2);
const status = fc.constantFrom(
  'active' as const,
  'active' as const,
  'active' as const,
  'suspended' as const,
  'suspended' as const,
  'closed' as const,
);
const source = fc.constantFrom('idp1' as const, 'idp1' as const, 'idp1' as const, 'idp2' as const);
const outcome = fc.constantFrom('approve', 'reject', 'manual');
/** Most cardholders that actions are about exist from the start; the third only if an action makes it. */
const OPENING: readonly Action[] = [0, 1].map(number => ({
  kind: 'create',
  who: number,
  email: number,
  capitals: false,
  source: 'idp1',
  token: `idp1_test_approve_opening_${number}`,
  valid: true,
}));
const mostlyTrue = fc.nat(9).map(number => number > 0);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      who,
      email: fc.nat(3),
      capitals: fc.boolean(),
      source,
      token: fc.tuple(source, outcome, fc.nat(60)).map(parts => `${parts[0]}_test_${parts[1]}_${parts[2]}`),
      valid: mostlyTrue,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('submit' as const), who, known: mostlyTrue }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      who,
      verb: fc.constantFrom('approve' as const, 'reject' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), who, status }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('issue' as const), who, known: mostlyTrue }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(0, 1, 999, 1_000, 2_000),
    }),
  },
);

/** How an action is asked of the sandbox; ids are those that the sandbox gave out. */
async function ask(sandbox: ReturnType<typeof inProcess>, life: Life, given: Action) {
  const cardProgramId = 'known' in given && !given.known ? 'prog_none' : PROGRAM;
  const id = 'who' in given ? (life.idOf(given.who) ?? 'ch_none') : '';
  switch (given.kind) {
    case 'create': {
      const email = `person_${given.email}@example.com`;
      return sandbox.api('POST', '/partner/cardholders', {
        externalUserId: `user_${given.who}`,
        email: given.capitals ? email.toUpperCase() : email,
        phoneNumber: given.valid ? '+4915123456789' : 'none',
        kycSource: given.source,
        [`${given.source}ShareToken`]: given.token,
      });
    }
    case 'submit':
      return sandbox.api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId });
    case 'issue':
      return sandbox.api('POST', '/partner/cards', { cardholderId: id, cardProgramId });
    case 'decide':
      return sandbox.control('POST', `/cardholders/${id}/kyc/${given.verb}`);
    case 'move':
      return sandbox.control('POST', `/cardholders/${id}/status`, { status: given.status });
    case 'wait':
      return sandbox.control('POST', '/clock/advance', { duration: `${given.ms}ms` });
  }
}

test('any life of three cardholders gives the answers that an independent model expects', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 50, size: 'max' }), async actions => {
      const sandbox = inProcess();
      const life = new Life();
      for (const given of [...OPENING, ...actions]) {
        const expected = life.expect(given);
        const reply = await ask(sandbox, life, given);
        const { code, reason } = reply.body.error ?? {};
        expect({ status: reply.status, code, reason }).toEqual({
          code: undefined,
          reason: undefined,
          ...expected,
        });
        if (reply.status === 201 && given.kind === 'create') life.named(given.who, reply.body.id);
        for (const person of life.people) {
          const shown = (await sandbox.control('GET', `/cardholders/${person.id}`)).body;
          expect(shown).toMatchObject({
            email: person.email,
            kycSource: person.source,
            kycStatus: person.kycStatus,
            status: person.status,
            lockReason: person.lock,
            kyc: { outcome: person.outcome },
          });
        }
      }
      const counts = ['/partner/cardholders', '/partner/cards', '/partner/usage/records'].map(
        path => sandbox.api('GET', path).body.total,
      );
      expect(counts).toEqual([life.people.length, life.cards, life.cards + life.submissions]);
      sandbox.stop();
    }),
    { numRuns: 120 },
  );
});
