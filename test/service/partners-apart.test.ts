import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';

const text = fc.string({ unit: fc.constantFrom('a', ' ', '1', '4'), minLength: 1, maxLength: 4 });

test('external ids and share tokens of partners never meet, whatever the ids of the partners are', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, text, async (id, rest, token) => {
      const [shorter, longer] = [id, `${id} ${rest}`];
      const keyOf = (partner: string) => `sk_test_${partner.replaceAll(' ', '_')}`;
      await using sandbox = createSandbox({
        fixtures: [{ partners: [shorter, longer].map(each => ({ id: each, apiKey: keyOf(each) })) }],
      });
      const create = (partner: string, externalUserId: string, shareToken: string) =>
        sandbox.as(partner).api.cardholders.create({
          externalUserId,
          email: `person-${shareToken.length}@example.com`,
          phoneNumber: '+351912345678',
          kycSource: 'idp1',
          idp1ShareToken: shareToken,
        });
      const mint = await sandbox.mintShareToken({ partnerId: longer });
      const first = await create(longer, token, mint.token);
      const second = await create(shorter, `${rest} ${token}`, 'idp1_test_approve_1');
      expect(second.id).not.toBe(first.id);
      const stolen = create(shorter, 'other', `${rest} ${mint.token}`);
      await expect(stolen).rejects.toThrow(/idp1ShareToken/);
      await sandbox.state.import(await sandbox.state.export());
    }),
    { numRuns: 12 },
  );
});
