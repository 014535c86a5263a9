import { expect, test } from 'vitest';
import {
  contradicted,
  observed,
  page,
  probed,
  type Routes,
  type Row,
  refuse,
  reply,
  type ServiceReply,
  unknown,
} from './other-service.ts';

const CARDS = '/partner/cards';
const PEOPLE = '/partner/cardholders';
const SESSIONS = '/partner/kyc-sessions';
const TOKENS = 'a share token that the service accepts: --var shareTokens=…';
const NO_TOKEN = 'a share token that the service accepts (422: no such token); pass --var shareTokens=…';

/** Answers the requests that create cardholders in this order, and all further ones like the last. */
function creations(...replies: readonly ServiceReply[]): Routes {
  let count = 0;
  return {
    [`POST ${PEOPLE}`]: ({ body }) => {
      const { status, body: own } = replies[Math.min(count, replies.length - 1)] ?? refuse(500);
      count += 1;
      return reply(
        status,
        status < 300 ? { ...body, id: `ch_${count}`, createdAt: 't1', ...Object(own) } : own,
      );
    },
  };
}

const CREATED = reply(201, { status: 'active', kycStatus: 'pending' });
const INVALID = refuse(422, 'no such token');
const CREATE = `POST ${PEOPLE}`;

const creation: Row[] = [
  [
    'magic-tokens',
    'that accepts them',
    creations(CREATED),
    observed('a magic token gets a 201', `${CREATE} 201`),
  ],
  [
    'magic-tokens',
    'that refuses them',
    creations(INVALID),
    contradicted('a magic token gets a 422: no such token', 'off'),
  ],
  [
    'magic-tokens',
    'that does not find them',
    creations(refuse(404, 'gone')),
    contradicted('a magic token gets a 404: gone', 'off'),
  ],
  [
    'magic-tokens',
    'that fails',
    creations(refuse(500)),
    unknown('a response to a magic token', `${CREATE} 500`),
  ],
  [
    'cardholder-creation',
    'with the assumed status',
    creations(CREATED),
    observed('a new cardholder has status active and KYC status pending', `${CREATE} 201`),
  ],
  [
    'cardholder-creation',
    'with an inactive cardholder',
    creations(reply(201, { status: 'inactive', kycStatus: 'pending' })),
    contradicted('a new cardholder has status inactive and KYC status pending'),
  ],
  [
    'cardholder-creation',
    'that approves at once',
    creations(reply(201, { status: 'active', kycStatus: 'approved' })),
    contradicted('a new cardholder has status active and KYC status approved'),
  ],
  [
    'cardholder-creation',
    'without a token that it accepts',
    creations(INVALID),
    unknown(NO_TOKEN, `${CREATE} 422`),
  ],
  [
    'cardholder-uniqueness',
    'that refuses a second one',
    creations(CREATED, refuse(409)),
    observed('the e-mail address of another cardholder gets a 409', `${CREATE} 201`, `${CREATE} 409`),
  ],
  [
    'cardholder-uniqueness',
    'that accepts a second one',
    creations(CREATED),
    contradicted('the e-mail address of another cardholder gets a 201'),
  ],
  [
    'share-tokens',
    'that refuses unknown ones',
    creations(INVALID),
    observed('an unknown share token gets a 422', `${CREATE} 422`),
  ],
  [
    'share-tokens',
    'that accepts unknown ones',
    creations(CREATED),
    contradicted('an unknown share token gets a 201'),
  ],
  [
    'reimport-sources',
    'that keeps the record',
    creations(CREATED, reply(200, { id: 'ch_1' })),
    observed('a re-import keeps id and createdAt', `${CREATE} 201`, `${CREATE} 200`),
  ],
  [
    'reimport-sources',
    'that makes another',
    creations(CREATED, reply(200)),
    contradicted('a re-import changes id and createdAt'),
  ],
  [
    'reimport-sources',
    'that changes its time',
    creations(CREATED, reply(200, { id: 'ch_1', createdAt: 't2' })),
    contradicted('a re-import changes id and createdAt'),
  ],
  [
    'reimport-sources',
    'that refuses it',
    creations(CREATED, refuse(409, 'locked')),
    unknown(`${TOKENS} (two of them) (locked)`, `${CREATE} 201`, `${CREATE} 409`),
  ],
];

/** The filter of cardholders by e-mail, which compares as `isSame` does. */
const emails = (isSame: (one: string, other: string) => boolean): Routes => ({
  [`GET ${PEOPLE}`]: ({ query }) => {
    const mia = { id: 'ch_mia', email: 'mia@example.com' };
    return query.email === undefined || isSame(mia.email, query.email) ? page(mia) : page();
  },
});
const EMAIL_NEEDS = 'a cardholder in a list that filters by email, or --write and two share tokens';
const write = { write: true };

const email: Row[] = [
  [
    'email-comparison',
    'whose filter ignores case',
    emails((one, other) => one === other.toLowerCase()),
    observed(
      'the filter email finds an address in upper case',
      ...[`GET ${PEOPLE}?email=mia%40example.com 200`, `GET ${PEOPLE}?email=MIA%40EXAMPLE.COM 200`],
    ),
  ],
  [
    'email-comparison',
    'whose filter knows case',
    emails((one, other) => one === other),
    contradicted('the filter email does not find an address in upper case', 'sensitive'),
  ],
  [
    'email-comparison',
    'that filters nothing',
    emails(() => true),
    unknown(EMAIL_NEEDS, `GET ${PEOPLE}?email=mia%40example.com 200`),
    { write: false },
  ],
  [
    'email-comparison',
    'that lists nothing',
    {},
    unknown(EMAIL_NEEDS, `GET ${PEOPLE}?email= 404`),
    { write: false },
  ],
  [
    'email-comparison',
    'that refuses an address in another case',
    creations(CREATED, refuse(409)),
    observed('an e-mail address that differs only in case gets a 409', `${CREATE} 201`, `${CREATE} 409`),
    write,
  ],
  [
    'email-comparison',
    'that accepts an address in another case',
    creations(CREATED),
    contradicted('an e-mail address that differs only in case gets a 201', 'sensitive'),
    write,
  ],
  [
    'email-comparison',
    'that fails',
    creations(CREATED, refuse(500)),
    unknown(EMAIL_NEEDS, `${CREATE} 500`),
    write,
  ],
];

const REIMPORT = 'a re-import with the e-mail address of another cardholder and an unknown token gets a';
const IDP2 = 'a service that accepts magic tokens';
/** Answers by the source of the KYC. */
const sources = (idp2: ServiceReply, idp1: ServiceReply): Routes => ({
  [CREATE]: ({ body }) => (body.kycSource === 'idp2' ? idp2 : idp1),
});
/** Answers sessions by whether they are `s1`. */
const webKyc = (unknownSession: number, known: number): Routes => ({
  [CREATE]: ({ body }) =>
    body.kycSource !== 'web' || 'idp1ShareToken' in body
      ? refuse(400)
      : reply(body.kycSessionId === 's1' ? known : unknownSession),
});

const others: Row[] = [
  [
    'reimport-order',
    'that refuses it and changes nothing',
    {
      ...creations(CREATED, CREATED, refuse(409)),
      [`GET ${PEOPLE}/ch_1`]: reply(200, { email: 'card-sandbox-calibration-mmrl2kg0-1@example.com' }),
    },
    { verdict: 'observed', text: `${REIMPORT} 409, and changes nothing` },
  ],
  [
    'reimport-order',
    'that changes the cardholder',
    { ...creations(CREATED, CREATED, refuse(409)), [`GET ${PEOPLE}/ch_1`]: reply(200, { email: 'x' }) },
    contradicted(`${REIMPORT} 409, and changes the cardholder`),
  ],
  [
    'reimport-order',
    'that looks at the token first',
    {
      ...creations(CREATED, CREATED, INVALID),
      [`GET ${PEOPLE}/ch_1`]: reply(200, { email: 'card-sandbox-calibration-mmrl2kg0-1@example.com' }),
    },
    contradicted(`${REIMPORT} 422, and changes nothing`),
  ],
  [
    'idp2-variant',
    'that has it',
    sources(reply(201, { kycSource: 'idp2' }), CREATED),
    observed('an idp2ShareToken gets a 201 with kycSource idp2', `${CREATE} 201`),
  ],
  [
    'idp2-variant',
    'that takes it for another source',
    sources(reply(201, { kycSource: 'idp1' }), CREATED),
    contradicted('an idp2ShareToken gets a 201 with kycSource idp1'),
  ],
  [
    'idp2-variant',
    'that refuses only it',
    sources(INVALID, CREATED),
    contradicted('an idp2ShareToken gets a 422'),
  ],
  [
    'idp2-variant',
    'that refuses all magic tokens',
    sources(INVALID, INVALID),
    unknown(IDP2, `${CREATE} 422`),
  ],
  [
    'idp2-variant',
    'whose tokens are those of --var',
    sources(INVALID, CREATED),
    unknown(IDP2, `${CREATE} 422`),
    { variables: { shareTokens: 'a,b' } },
  ],
  [
    'web-kyc',
    'that does not find a session',
    webKyc(404, 500),
    observed('an unknown KYC session gets a 404', `${CREATE} 404`),
  ],
  [
    'web-kyc',
    'that refuses an unknown session as input',
    webKyc(400, 201),
    contradicted('an unknown KYC session gets a 400'),
  ],
  [
    'web-kyc',
    'that accepts an approved session',
    webKyc(404, 201),
    observed('an unknown KYC session gets a 404, an approved one a 201', `${CREATE} 404`, `${CREATE} 201`),
    { variables: { kycSessionId: 's1' } },
  ],
  [
    'web-kyc',
    'that refuses an approved session',
    webKyc(404, 409),
    contradicted('an unknown KYC session gets a 404, an approved one a 409'),
    { variables: { kycSessionId: 's1' } },
  ],
];

const PAGE = 'https://service.example.com/pages/1';
const session = (members: object, status = 201): Routes => ({
  [`POST ${SESSIONS}`]: ({ body }) =>
    /^card-sandbox-calibration-/.test(body.externalUserId) ? reply(status, members) : refuse(400),
});
const SESSION = {
  id: 's1',
  url: PAGE,
  status: 'pending',
  externalUserId: 'u1',
  createdAt: '2026-03-15T10:00:00Z',
  expiresAt: '2026-03-16T10:00:00Z',
};
const html = (text: string, status = 200): Routes => ({
  'GET /pages/1': ({ headers }) => reply(headers.get('accept') === 'text/html' ? status : 406, text),
});
/** Answers a PUT to the page by what the client accepts. */
const refusals = (type: string, json: unknown): Routes => ({
  'PUT /pages/1': ({ headers }) =>
    headers.get('accept') === 'text/html'
      ? reply(405, '<p>no</p>', { 'content-type': type })
      : headers.get('accept') === 'application/json'
        ? reply(405, json)
        : reply(500),
});
const SIMPLE = { success: false, error: 'no' };
const URL_NEEDED = 'a KYC session with the URL of its page';
const OF_PAGE = [`POST ${SESSIONS} 201`, 'GET https://service.example.com/*** 200'];

const sessions: Row[] = [
  [
    'kyc-sessions',
    'with the assumed session',
    session(SESSION),
    observed('a KYC session gets a 201, is pending and expires after 24 h', `POST ${SESSIONS} 201`),
  ],
  [
    'kyc-sessions',
    'with a 200',
    session(SESSION, 200),
    contradicted('a KYC session gets a 200, is pending and expires after 24 h'),
  ],
  [
    'kyc-sessions',
    'whose sessions are approved and shorter',
    session({ ...SESSION, status: 'approved' }),
    contradicted('a KYC session gets a 201, is approved and expires after 24 h'),
  ],
  [
    'kyc-sessions',
    'whose sessions are shorter',
    session({ ...SESSION, expiresAt: '2026-03-15T11:30:00Z' }),
    contradicted('a KYC session gets a 201, is pending and expires after 1.5 h'),
  ],
  [
    'kyc-sessions',
    'without some members',
    session({ id: 's1', createdAt: SESSION.createdAt, expiresAt: SESSION.expiresAt, status: 'pending' }),
    contradicted('a KYC session gets a 201 without url, externalUserId'),
  ],
  ['kyc-sessions', 'without an id', session({}), unknown('a KYC session', `POST ${SESSIONS} 201`)],
  [
    'kyc-sessions',
    'without sessions',
    session(SESSION, 404),
    unknown('a KYC session', `POST ${SESSIONS} 404`),
  ],
  [
    'kyc-page',
    'with a page',
    { ...session(SESSION), ...html('<b>Approve</b> or <b>REJECT</b>') },
    observed('the hosted page gets a 200 and offers to approve and to reject', ...OF_PAGE),
  ],
  [
    'kyc-page',
    'whose page offers only to approve',
    { ...session(SESSION), ...html('Approve') },
    contradicted('the hosted page gets a 200 and does not offer to approve and to reject'),
  ],
  [
    'kyc-page',
    'whose page offers only to reject',
    { ...session(SESSION), ...html('Reject') },
    contradicted('the hosted page gets a 200 and does not offer to approve and to reject'),
  ],
  [
    'kyc-page',
    'whose page fails',
    { ...session(SESSION), ...html('Approve, reject', 503) },
    contradicted('the hosted page gets a 503 and offers to approve and to reject'),
  ],
  [
    'kyc-page',
    'without a URL',
    session({ ...SESSION, url: 'pages/1' }),
    unknown(URL_NEEDED, `POST ${SESSIONS} 201`),
  ],
  [
    'pages',
    'that refuses for browsers and other clients',
    { ...session(SESSION), ...refusals('text/html; charset=utf-8', SIMPLE) },
    observed(
      'the refusal of a PUT to a page is a page for browsers and the simple error body for other clients',
      ...['PUT https://service.example.com/*** 405', 'PUT https://service.example.com/*** 405'],
    ),
  ],
  [
    'pages',
    'that refuses with JSON for browsers',
    { ...session(SESSION), ...refusals('application/json', SIMPLE) },
    contradicted(
      'the refusal of a PUT to a page is no page for browsers and the simple error body for other clients',
    ),
  ],
  ...[{ error: 'no' }, { success: false, message: 'no' }, '<p>no</p>'].map(
    (body): Row => [
      'pages',
      `that refuses with ${JSON.stringify(body)}`,
      { ...session(SESSION), ...refusals('text/html', body) },
      contradicted(
        'the refusal of a PUT to a page is a page for browsers and another body for other clients',
      ),
    ],
  ),
  ['pages', 'without a URL', session({ ...SESSION, url: '' }), unknown(URL_NEEDED, `POST ${SESSIONS} 201`)],
];

/** Decides the KYC of new cardholders, and answers further submissions with a status. */
function kyc(
  decided: string,
  { again = 400, first = 202, programs = page({ id: 'p1' }), people = page() } = {},
): Routes {
  const submitted = new Set<string>();
  return {
    ...creations(CREATED),
    'GET /partner/webhooks/config': reply(200, { webhookUrl: null, subscribedEvents: [] }),
    'PATCH /partner/webhooks/config': reply(200),
    'GET /partner/card-programs': programs,
    [`GET ${CARDS}`]: page({ id: 'card_0', programId: 'p0' }),
    [`GET ${PEOPLE}`]: ({ query }) =>
      query.status === 'active' && query.limit === '100' && query.kycStatus ? people : page(),
    [`POST ${PEOPLE}/*`]: ({ path, body }) => {
      if (!/^p[0-9]$/.test(body.cardProgramId) || !path.endsWith('/kyc')) return refuse(400, 'no program');
      const isAgain = submitted.has(path) || path.includes('ch_old');
      submitted.add(path);
      return isAgain ? refuse(again) : reply(first);
    },
    [`GET ${PEOPLE}/*`]: ({ path }) => reply(200, { id: path.split('/').at(-1), kycStatus: decided }),
  };
}
const OLD = (kycStatus: string) =>
  page(
    { id: 'ch_other', kycStatus: 'none', status: 'active' },
    { id: 'ch_x', kycStatus, status: 'inactive' },
    { id: 'ch_old', kycStatus, status: 'active' },
  );
const LATE = 'a KYC that is approved in time; pass --patience';
const SUBMIT = (id: string) => `POST ${PEOPLE}/${id}/kyc`;

const decisions: Row[] = [
  [
    'kyc-decision',
    'that approves',
    kyc('approved'),
    observed(
      'the provider approves a KYC by itself',
      ...[`${CREATE} 201`, `${SUBMIT('ch_1')} 202`, `GET ${PEOPLE}/ch_1 200`],
    ),
  ],
  [
    'kyc-decision',
    'that does not decide',
    kyc('pending'),
    unknown(LATE, `${CREATE} 201`, `${SUBMIT('ch_1')} 202`),
  ],
  [
    'kyc-decision',
    'that accepts no submission',
    kyc('approved', { first: 409 }),
    unknown('a cardholder whose KYC can be submitted', `${CREATE} 201`, `${SUBMIT('ch_1')} 409`),
  ],
  [
    'kyc-decision',
    'without a card program',
    { ...kyc('approved', { programs: page() }), [`GET ${CARDS}`]: page() },
    unknown(
      'a card program; pass --var cardProgramId=…',
      ...['GET /partner/card-programs 200', `GET ${CARDS}?limit=1 200`],
    ),
  ],
  [
    'kyc-decision',
    'whose programs are known from a card',
    kyc('approved', { programs: page() }),
    { verdict: 'observed' },
  ],
  [
    'kyc-decision',
    'with a program of --var',
    { ...kyc('approved', { programs: page() }), [`GET ${CARDS}`]: page() },
    { verdict: 'observed' },
    { variables: { cardProgramId: 'p7' } },
  ],
  [
    'kyc-initiation',
    'that refuses a second submission',
    kyc('approved'),
    observed('a second submission after an approval gets a 400', `${SUBMIT('ch_1')} 400`),
  ],
  [
    'kyc-initiation',
    'that accepts a second submission',
    kyc('approved', { again: 202 }),
    contradicted('a second submission after an approval gets a 202'),
  ],
  [
    'kyc-initiation',
    'with an approved cardholder in its list',
    kyc('pending', { people: OLD('approved') }),
    observed('a second submission after an approval gets a 400', `${SUBMIT('ch_old')} 400`),
  ],
  [
    'kyc-initiation',
    'with a cardholder of --var',
    kyc('pending'),
    observed('a second submission after an approval gets a 400', `${SUBMIT('ch_old7')} 400`),
    { variables: { cardholderId: 'ch_old7' } },
  ],
  [
    'kyc-initiation',
    'without an approved cardholder',
    kyc('pending', { people: OLD('rejected') }),
    unknown(`${LATE}; or pass --var cardholderId=…`, `${CREATE} 201`, `${SUBMIT('ch_1')} 202`),
  ],
  [
    'kyc-after-rejection',
    'that allows another submission',
    kyc('rejected', { again: 202 }),
    observed('a submission after a rejection gets a 202', `${SUBMIT('ch_1')} 202`),
  ],
  [
    'kyc-after-rejection',
    'that refuses it as input',
    kyc('rejected'),
    contradicted('a submission after a rejection gets a 400', 'refused'),
  ],
  [
    'kyc-after-rejection',
    'with a conflict',
    kyc('rejected', { again: 409 }),
    contradicted('a submission after a rejection gets a 409', 'refused'),
  ],
  [
    'kyc-after-rejection',
    'that fails',
    kyc('rejected', { again: 500 }),
    unknown('a cardholder with rejected KYC: --var rejectedCardholderId=…', `${SUBMIT('ch_1')} 500`),
  ],
  [
    'kyc-after-rejection',
    'without a rejected cardholder',
    kyc('approved'),
    unknown('a KYC that is rejected in time; pass --patience; or pass --var rejectedCardholderId=…'),
  ],
  [
    'kyc-after-rejection',
    'with a cardholder of --var',
    kyc('approved'),
    { value: 'refused', shown: [`${SUBMIT('ch_old8')} 400`] },
    { variables: { rejectedCardholderId: 'ch_old8' } },
  ],
];

test.each([...creation, ...email, ...others, ...sessions, ...decisions])(
  '%s of a service %s',
  async (id, _, routes, report, options) => {
    expect(await probed(id, routes, { write: true, ...options })).toMatchObject(report);
  },
);

test('without --write nothing is created, and what it would take is said', async () => {
  const report = await probed('share-tokens', { [CREATE]: () => expect.fail('must not be sent') });
  expect(report).toEqual({
    verdict: 'unknown',
    text: '--write: a response to an unknown share token',
    shown: [],
  });
});

test('new cardholders have recognizable names, addresses of example.com and a token of their own', async () => {
  const bodies: unknown[] = [];
  const routes: Routes = {
    [CREATE]: ({ body }) => {
      bodies.push(body);
      return reply(bodies.length === 1 ? 201 : 409, body);
    },
  };
  await probed('cardholder-uniqueness', routes, { write: true });
  const name = (count: number) => `card-sandbox-calibration-mmrl2kg0-${count}`;
  expect(bodies).toEqual(
    [1, 2].map(count => ({
      externalUserId: name(count),
      email: `${name(1)}@example.com`,
      phoneNumber: '+4915123456789',
      kycSource: 'idp1',
      idp1ShareToken: `idp1_test_approve_${name(count)}`,
    })),
  );
});

test('an unknown share token is sent with an otherwise valid body, and is not a magic one', async () => {
  const bodies: unknown[] = [];
  const routes: Routes = {
    [CREATE]: ({ body }) => {
      bodies.push(body);
      return refuse(400);
    },
  };
  await probed('share-tokens', routes, { write: true });
  expect(bodies).toEqual([
    {
      externalUserId: 'card-sandbox-calibration-mmrl2kg0-1',
      email: 'card-sandbox-calibration-mmrl2kg0-1@example.com',
      phoneNumber: '+4915123456789',
      kycSource: 'idp1',
      idp1ShareToken: 'card-sandbox-calibration-mmrl2kg0-2',
    },
  ]);
});

test('share tokens of --var are used in their order, each once, and then magic ones', async () => {
  const tokens: string[] = [];
  const routes: Routes = {
    ...kyc('rejected'),
    [CREATE]: ({ body }) => {
      tokens.push(body.idp1ShareToken);
      return reply(201, { ...body, id: `ch_${tokens.length}` });
    },
  };
  const only = ['cardholder-uniqueness', 'cardholder-creation', 'reimport-sources', 'kyc-after-rejection'];
  const variables = { shareTokens: 'one,two', rejectedShareToken: 'three' };
  await probed('cardholder-uniqueness', routes, { write: true, only, variables });
  expect(tokens).toEqual(['one', 'two', expect.stringMatching(/^idp1_test_approve_card-/), 'three']);
});
