import { expect, test } from 'vitest';
import { operations } from '../../src/sandbox/operations.ts';
import { validInputs } from '../../src/sandbox/valid-inputs.ts';
import { subscribe } from '../support/receiver.ts';
import { newCardholder, startSandbox } from '../support/sandbox.ts';

/** The kind of record in a path, and one of Acme. Records without an id in the fixture are found by their list. */
const RECORDS: Readonly<Record<string, readonly [kind: string, id: string | null]>> = {
  cardholders: ['cardholder', 'ch_mia_approved'],
  cards: ['card', 'card_mia_active'],
  'card-programs': ['card program', 'prog_everyday'],
  'kyc-sessions': ['KYC session', 'kycs_noor_approved'],
  transactions: ['transaction', null],
  'webhooks/events': ['delivery event', null],
};
const ISSUE = { cardholderId: 'ch_mia_approved', cardProgramId: 'prog_everyday' };
const OWN = { cardholderId: 'ch_gus_globex', cardProgramId: 'prog_globex' };
const { idp1ShareToken: _, ...WEB } = newCardholder({ kycSource: 'web' });

/** Every place of a request that takes the id of a record: its method, kind, path and body for an id. */
const PLACES = [
  ...operations.flatMap(({ id, plane, method, path }) => {
    const [, list = '', verb = ''] = /^\/partner\/(.+)\/\{\w+\}(.*)$/.exec(path) ?? [];
    if (plane !== 'partner' || list === '') return [];
    const [kind = '', known = null] = RECORDS[list] ?? [];
    const at = (record: string) => [`/partner/${list}/${record}${verb}`, validInputs(id)[0]?.body] as const;
    return [{ method, place: path, kind, list, known, at, ofGlobex: at }];
  }),
  ...(
    [
      ['cardholder', '/partner/cards', 'cardholderId', ISSUE, OWN],
      ['card program', '/partner/cards', 'cardProgramId', ISSUE, OWN],
      ['card program', '/partner/cardholders/ch_liam_pending/kyc', 'cardProgramId', {}, {}],
      ['KYC session', '/partner/cardholders', 'kycSessionId', WEB, WEB],
    ] as const
  ).map(([kind, path, member, body, own]) => ({
    method: 'POST',
    place: `${path} with a ${member}`,
    kind,
    list: '',
    known: Object.values(RECORDS).find(([each]) => each === kind)?.[1] ?? null,
    at: (record: string) => [path, { ...body, [member]: record }] as const,
    ofGlobex: (record: string) =>
      [path.replace('ch_liam_pending', 'ch_gus_globex'), { ...own, [member]: record }] as const,
  })),
];

test.each(PLACES)(
  '$method $place: a $kind that is unknown, or of another partner, is a 404 that changes nothing',
  async ({ method, kind, list, known, at, ofGlobex }) => {
    const { api, globex, control } = await startSandbox({ fixtures: ['starter'] });
    await subscribe({ api });
    await control('POST', '/balance/top-up', { amount: 1 });
    const id = known ?? (await api('GET', `/partner/${list}`)).body.data[0].id;
    for (const [as, record, [path, body]] of [
      [api, 'nothing', at('nothing')],
      [globex, id, ofGlobex(id)],
    ] as const) {
      const reply = await as(method, path, body);
      expect({ status: reply.status, body: reply.body }).toEqual({
        status: 404,
        body: { success: false, error: `no ${kind} with id "${record}"` },
      });
      const [entry] = (await control('GET', '/requests?limit=1')).body;
      expect(entry).toMatchObject({ changes: [], events: [], rule: { id: 'unknown-id' } });
    }
  },
);
