import { expect, test } from 'vitest';
import {
  CARD_PROGRAM,
  createApprovedCardholder,
  createCard,
  createCardholder,
  createSubmittedCardholder,
} from '../../support/cardholders.ts';
import { newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const PEOPLE = '/partner/cardholders';
const CONFIG = '/partner/webhooks/config';
const MIA = { externalUserId: 'mia', email: 'mia@example.com' };

const create = ({ api }: TestSandbox, members: Record<string, unknown>) =>
  api('POST', PEOPLE, newCardholder(members));
const submit = ({ api }: TestSandbox, id: string) =>
  api('POST', `${PEOPLE}/${id}/kyc`, { cardProgramId: CARD_PROGRAM });

async function fromSession(sandbox: TestSandbox, verb?: string) {
  const { id } = (await sandbox.api('POST', '/partner/kyc-sessions')).body;
  if (verb !== undefined) await sandbox.control('POST', `/kyc-sessions/${id}/${verb}`);
  return { ...MIA, kycSource: 'web', kycSessionId: id, idp1ShareToken: undefined };
}

async function withStatus(sandbox: TestSandbox, status: string) {
  const id = await createCardholder(sandbox, MIA);
  await sandbox.control('POST', `/cardholders/${id}/status`, { status });
  return id;
}

type Refused = readonly [what: string, ask: (sandbox: TestSandbox) => Promise<unknown>, why: RegExp];

const ASSUMED: Readonly<Record<string, readonly Refused[]>> = {
  'share-tokens': [
    [
      'an unknown token',
      s => create(s, { idp1ShareToken: 'x' }),
      /ShareToken: unknown share token; issue one/,
    ],
    [
      "another source's token",
      s => create(s, { idp1ShareToken: 'idp2_test_approve_1' }),
      /is a share token of idp2, not/,
    ],
    [
      'an expired token',
      async s => {
        const { token } = (await s.control('POST', '/share-tokens', { expiresIn: '1s' })).body;
        await s.control('POST', '/clock/advance', { duration: '1s' });
        await create(s, { idp1ShareToken: token });
      },
      /: expired at .*; issue a new one$/,
    ],
  ],
  'web-kyc': [
    [
      'a pending session',
      async s => create(s, await fromSession(s)),
      /is pending; it must be approved first/,
    ],
    [
      'a rejected session',
      async s => create(s, await fromSession(s, 'reject')),
      /is rejected; open another one with POST/,
    ],
    [
      'an expired session',
      async s => {
        const members = await fromSession(s);
        await s.control('POST', '/clock/advance', { duration: '24h' });
        await create(s, members);
      },
      /is expired; open another one with POST/,
    ],
    [
      'a used session',
      async s => {
        const members = await fromSession(s, 'approve');
        await create(s, members);
        await create(s, { ...members, externalUserId: 'mika', email: 'mika@example.com' });
      },
      /was already used, by cardholder ch_\w+; open another one/,
    ],
  ],
  'reimport-sources': [
    [
      'a re-import from a session',
      async s => {
        await create(s, await fromSession(s, 'approve'));
        await create(s, await fromSession(s, 'approve'));
      },
      /^body\.externalUserId: cardholder ch_\w+ has it already; a re-import needs a share-token source/,
    ],
  ],
  'kyc-initiation': [
    [
      'KYC of the suspended',
      async s => submit(s, await withStatus(s, 'suspended')),
      /needs an active cardholder/,
    ],
    [
      'KYC of the approved',
      async s => submit(s, await createApprovedCardholder(s)),
      /has already passed KYC/,
    ],
    [
      'KYC in flight',
      async s => submit(s, await createSubmittedCardholder(s)),
      /in flight; wait for its decision/,
    ],
  ],
  'card-moves': [
    [
      'to unfreeze a card that is not frozen',
      async s => s.api('POST', `/partner/cards/${(await createCard(s)).id}/unfreeze`),
      /is created; only a card that is frozen can be/,
    ],
  ],
  reveal: [
    [
      'to reveal a cancelled card',
      async s => {
        const { id } = await createCard(s);
        await s.api('POST', `/partner/cards/${id}/cancel`);
        await s.api('POST', `/partner/cards/${id}/reveal-html`, {});
      },
      /is cancelled; a cancelled card cannot be revealed/,
    ],
  ],
  'webhook-config': [
    [
      'a URL without a secret',
      s => s.api('PATCH', CONFIG, { webhookUrl: 'https://hooks.example/' }),
      /^body\.webhookSecret: is required with the first webhookUrl/,
    ],
  ],
  'manual-retry': [
    [
      'to retry what has not failed',
      async s => {
        const config = { webhookUrl: 'https://hooks.example/', webhookSecret: 'a-secret-of-more-than-16' };
        await s.api('PATCH', CONFIG, { ...config, subscribedEvents: ['cardholder.created'] });
        await createCardholder(s);
        const [{ id }] = (await s.control('GET', '/deliveries')).body;
        await s.api('POST', `/partner/webhooks/events/${id}/retry`);
      },
      /is pending; only a failed one can be retried/,
    ],
  ],
};

const DOCUMENTED: Readonly<Record<string, readonly Refused[]>> = {
  '4.1': [
    [
      'a used token',
      async s => {
        await create(s, { idp1ShareToken: 'idp1_test_approve_1' });
        await create(s, { idp1ShareToken: 'idp1_test_approve_1' });
      },
      /was already used; a share token is single-use/,
    ],
    [
      'a re-import of somebody with a card',
      async s => {
        const cardholderId = await createApprovedCardholder(s, MIA);
        await s.api('POST', '/partner/cards', { cardholderId, cardProgramId: CARD_PROGRAM });
        await create(s, MIA);
      },
      /cannot be re-imported: a card has been issued/,
    ],
    [
      'a re-import of somebody submitted',
      async s => {
        await createSubmittedCardholder(s, MIA);
        await create(s, MIA);
      },
      /cannot be re-imported: its KYC was submitted/,
    ],
    [
      'a re-import from another source',
      async s => {
        await createCardholder(s, MIA);
        await create(s, { ...MIA, kycSource: 'idp2', idp2ShareToken: 'idp2_test_approve_1' });
      },
      /was created with idp1; a re-import must use the same source/,
    ],
    [
      'a re-import of the suspended',
      async s => {
        await withStatus(s, 'suspended');
        await create(s, MIA);
      },
      /is suspended; a re-import requires status active/,
    ],
  ],
  '2.6': [
    [
      'a webhook URL with http',
      s =>
        s.api('PATCH', CONFIG, {
          webhookUrl: 'http://hooks.example/',
          webhookSecret: 'a-secret-of-16-chars',
        }),
      /^body\.webhookUrl: must use https:.*; null clears it$/,
    ],
  ],
};

const all = (rules: Readonly<Record<string, readonly Refused[]>>) =>
  Object.entries(rules).flatMap(([rule, refused]) => refused.map(each => [rule, ...each] as const));

test.each(all(ASSUMED))('%s: %s is refused, with the reason and the assumption', async (id, _, ask, why) => {
  const sandbox = await startSandbox();
  await ask(sandbox);
  const [entry] = (await sandbox.control('GET', '/requests')).body;
  const refusal = expect.stringMatching(why);
  expect(entry).toMatchObject({ status: 400, refusal, rule: { id }, changes: [], events: [] });
});

test.each(all(DOCUMENTED))(
  '%s: %s is refused, with the reason and the section',
  async (section, _, ask, why) => {
    const sandbox = await startSandbox();
    await ask(sandbox);
    const [entry] = (await sandbox.control('GET', '/requests')).body;
    const rule = { fidelity: 'documented', section };
    expect(entry).toMatchObject({ refusal: expect.stringMatching(why), rule, changes: [], events: [] });
  },
);
