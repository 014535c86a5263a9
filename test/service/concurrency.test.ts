import { expect, test } from 'vitest';
import {
  CARD_PROGRAM,
  createApprovedCardholder,
  createCard,
  createCardholder,
} from '../support/cardholders.ts';
import { createRevealLink, visit } from '../support/pages.ts';
import { newCardholder, startSandbox, type TestSandbox } from '../support/sandbox.ts';

const MIA = { externalUserId: 'mia', email: 'mia@example.com' };
const TOKEN = { idp1ShareToken: 'idp1_test_approve_shared' };

type Send = () => Promise<{ readonly status: number }>;

/** Sends a request of the API, whose body may be another each time. */
const post =
  ({ api }: TestSandbox, path: string, body: () => unknown = () => undefined): Send =>
  () =>
    api('POST', `/partner/${path}`, body());
const creating = (fields: object) => async (sandbox: TestSandbox) =>
  post(sandbox, 'cardholders', () => newCardholder({ ...fields }));

test.each<
  [
    what: string,
    prepare: (sandbox: TestSandbox) => Promise<Send>,
    first: number,
    others: number,
    billed: number,
  ]
>([
  ['creates with one share token', creating(TOKEN), 201, 400, 0],
  ['creates with one e-mail address', creating({ email: MIA.email }), 201, 409, 0],
  ['creates with one external id', creating({ externalUserId: 'shared' }), 201, 200, 0],
  [
    'creates from one session',
    async sandbox => {
      const { id } = (await sandbox.api('POST', '/partner/kyc-sessions')).body;
      await sandbox.control('POST', `/kyc-sessions/${id}/approve`);
      const web = { kycSource: 'web', kycSessionId: id, idp1ShareToken: undefined };
      return post(sandbox, 'cardholders', () => newCardholder(web));
    },
    201,
    400,
    0,
  ],
  [
    're-imports with one share token',
    async sandbox => {
      await createCardholder(sandbox, MIA);
      return post(sandbox, 'cardholders', () => newCardholder({ ...MIA, ...TOKEN }));
    },
    200,
    400,
    0,
  ],
  [
    'submissions of one cardholder',
    async sandbox => {
      const body = { cardProgramId: CARD_PROGRAM };
      return post(sandbox, `cardholders/${await createCardholder(sandbox)}/kyc`, () => body);
    },
    200,
    400,
    1,
  ],
  [
    'cards of one cardholder',
    async sandbox => {
      const body = { cardholderId: await createApprovedCardholder(sandbox), cardProgramId: CARD_PROGRAM };
      return post(sandbox, 'cards', () => body);
    },
    201,
    201,
    20,
  ],
  [
    'activations of one card',
    async sandbox => post(sandbox, `cards/${(await createCard(sandbox)).id}/activate`),
    200,
    400,
    0,
  ],
  [
    'visits of one reveal link',
    async sandbox => {
      const url = await createRevealLink(sandbox);
      return () => visit(url);
    },
    200,
    410,
    0,
  ],
])('of 20 concurrent %s, one is answered as the first', async (_what, prepare, first, others, billed) => {
  const sandbox = await startSandbox();
  const send = await prepare(sandbox);
  const usage = async () => (await sandbox.api('GET', '/partner/usage/records')).body.total;
  const before = await usage();
  const replies = await Promise.all(Array.from({ length: 20 }, send));
  const statuses = replies.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([first, ...Array<number>(19).fill(others)].toSorted());
  expect((await usage()) - before).toBe(billed);
});
