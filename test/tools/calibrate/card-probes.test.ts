import { expect, test } from 'vitest';
import { calibrated } from './calibrated.ts';
import {
  contradicted,
  fetchFrom,
  observed,
  page,
  probed,
  type Routes,
  type Row,
  refuse,
  reply,
  type ServiceReply,
  type ServiceRequest,
  unknown,
} from './other-service.ts';

const CARDS = '/partner/cards';
const PEOPLE = '/partner/cardholders';
const ISSUE = `POST ${CARDS}`;
const CREATE = `POST ${PEOPLE}`;
const APPROVED = 'a cardholder with approved KYC, for whom the service issues a card: --var cardholderId=…';
const ACTIVE = 'an active card: --var cardholderId=…, for whom one is issued';

interface Habits {
  /** Answers a request for a card of `ch_var`, or refuses it. */
  readonly issue?: (request: ServiceRequest) => ServiceReply | undefined;
  readonly status?: string;
  /** The states that the actions lead to; the others are refused. */
  readonly moves?: Readonly<Record<string, string>>;
  /** The status of a refused action. */
  readonly refusal?: number;
}

const MOVES = { activate: 'active', freeze: 'frozen', unfreeze: 'active', cancel: 'cancelled' };

/** Issues cards for the cardholder `ch_var`, and changes their states. */
function cards({ issue, status = 'created', moves = MOVES, refusal = 400 }: Habits = {}): Routes {
  const states = new Map<string, string>();
  return {
    [ISSUE]: request => {
      if (request.body.cardholderId !== 'ch_var' || request.body.cardProgramId !== 'p1') return refuse(422);
      const answer = issue?.(request);
      if (answer !== undefined) return answer;
      const id = `card_${states.size + 1}`;
      states.set(id, status);
      return reply(201, { ...CARD, id, status, createdAt: 't1', limit: request.body.limit ?? 1 });
    },
    [`POST ${CARDS}/*`]: ({ path }) => {
      const [, id = '', action = ''] = /\/(\w+)\/(\w+)$/.exec(path) ?? [];
      const next = Reflect.get(moves, action);
      if (states.get(id) === 'cancelled' || typeof next !== 'string')
        return refuse(refusal, 'not in this state');
      states.set(id, next);
      return reply(200, { id, status: next });
    },
    [`GET ${CARDS}/*`]: ({ path }) => reply(200, { status: states.get(path.split('/').at(-1) ?? '') }),
  };
}

const CARD = Object.fromEntries(
  'id type brand status nameOnCard limit last4 programId createdAt spendControl'
    .split(' ')
    .map(name => [name, 'x']),
);
const people = (...replies: readonly ServiceReply[]): Routes => ({
  [CREATE]: () => replies[0] ?? refuse(400),
});
const variables = { cardholderId: 'ch_var', cardProgramId: 'p1' };
const MONEY = (status: number) => `an amount with three decimals gets a ${status}`;
const refuseLimit = (limit: number, status: number) =>
  cards({ issue: ({ body }) => (body.limit === limit ? refuse(status) : undefined) });
const MOVED = 'activate, freeze, unfreeze and cancel lead to';

const issuing: Row[] = [
  [
    'card-issuance',
    'that issues whole cards, and none without approved KYC',
    { ...cards(), ...people(reply(201, { id: 'ch_new' })) },
    observed('issuing a card gets a 201, without approved KYC a 422', `${ISSUE} 201`, `${ISSUE} 422`),
  ],
  [
    'card-issuance',
    'that creates no cardholders',
    cards(),
    observed('issuing a card gets a 201', `${ISSUE} 201`),
  ],
  [
    'card-issuance',
    'that issues cards without approved KYC',
    { ...cards(), ...people(reply(201, { id: 'ch_var' })) },
    contradicted('issuing a card gets a 201, without approved KYC a 201'),
  ],
  [
    'card-issuance',
    'with another status',
    cards({ issue: () => reply(200, { ...CARD, id: 'card_1' }) }),
    contradicted('issuing a card gets a 200'),
  ],
  [
    'card-issuance',
    'without some members',
    cards({ issue: () => reply(201, { ...CARD, id: 'card_1', last4: undefined, brand: undefined }) }),
    contradicted('issuing a card gets a 201 without brand, last4'),
  ],
  [
    'card-issuance',
    'that refuses',
    cards({ issue: () => refuse(409, 'no funds') }),
    unknown('a card; the service refused to issue one (409: no funds)', `${ISSUE} 409`),
  ],
  [
    'card-issuance',
    'whose cards have no id',
    cards({ issue: () => reply(201, {}) }),
    unknown('a card; the service refused to issue one (201: )', `${ISSUE} 201`),
  ],
  [
    'card-initial-status',
    'with created cards',
    cards(),
    observed('a new card has the status created', `${ISSUE} 201`),
  ],
  [
    'card-initial-status',
    'with active cards',
    cards({ status: 'active' }),
    contradicted('a new card has the status active', 'active'),
  ],
  [
    'card-moves',
    'with the assumed moves',
    cards(),
    observed(
      `${MOVED} active, frozen, active, cancelled; activating a cancelled card gets a 400`,
      `${ISSUE}/card_1/activate 200`,
      ...['freeze', 'unfreeze', 'cancel'].map(action => `${ISSUE}/card_1/${action} 200`),
      `${ISSUE}/card_1/activate 400`,
    ),
  ],
  [
    'card-moves',
    'whose cards are active',
    cards({ status: 'active' }),
    observed(`${MOVED} frozen, active, cancelled; activating a cancelled card gets a 400`),
  ],
  [
    'card-moves',
    'that cannot unfreeze',
    cards({ moves: { activate: 'active', freeze: 'frozen', cancel: 'cancelled' }, refusal: 409 }),
    contradicted(`${MOVED} active, frozen, 409, cancelled; activating a cancelled card gets a 409`),
  ],
  [
    'card-moves',
    'that refuses a move with a conflict',
    cards({ refusal: 409 }),
    contradicted(`${MOVED} active, frozen, active, cancelled; activating a cancelled card gets a 409`),
  ],
  ['card-moves', 'that issues none', cards({ issue: () => refuse(409) }), unknown(APPROVED, `${ISSUE} 409`)],
  ['money', 'that refuses three decimals', refuseLimit(12.345, 400), observed(MONEY(400), `${ISSUE} 400`)],
  ['money', 'that rounds', cards(), contradicted(MONEY(201))],
  ['money', 'that fails', refuseLimit(12.345, 500), contradicted(MONEY(500))],
  [
    'amount-unit',
    'with fractions in its records',
    {
      'GET /partner/usage/records': page({ amount: 1 }, { amount: '1.5' }),
      'GET /partner/transactions': page({ amount: 2.5 }),
    },
    observed('there is an amount 2.5', 'GET /partner/transactions?limit=100 200'),
  ],
  [
    'amount-unit',
    'with a fraction as a limit',
    { [`GET ${CARDS}`]: page({ limit: 0.5 }) },
    observed('there is an amount 0.5', `GET ${CARDS}?limit=100 200`),
  ],
  [
    'amount-unit',
    'without a fraction',
    {},
    {
      verdict: 'unknown',
      text: 'an amount with decimals, or --write and a cardholder with approved KYC',
      shown: [],
    },
    { write: false },
  ],
  [
    'amount-unit',
    'that accepts a fraction',
    cards(),
    observed('a limit of 12.34 is accepted', `${ISSUE} 201`),
  ],
  [
    'amount-unit',
    'that accepts whole numbers only',
    refuseLimit(12.34, 422),
    contradicted('a limit of 12.34 gets a 422, one of 1234 a 201', 'minor'),
  ],
  [
    'amount-unit',
    'that changes a limit',
    cards({
      issue: ({ body }) => (body.limit === 12.34 ? reply(201, { id: 'card_9', limit: 12 }) : undefined),
    }),
    unknown(
      'an amount with decimals, or --write and a cardholder with approved KYC',
      `${ISSUE} 201`,
      `${ISSUE} 201`,
    ),
  ],
  [
    'amount-unit',
    'that accepts no limit',
    cards({ issue: ({ body }) => (body.limit === undefined ? undefined : refuse(422)) }),
    unknown(
      'an amount with decimals, or --write and a cardholder with approved KYC',
      `${ISSUE} 422`,
      `${ISSUE} 422`,
    ),
  ],
];

interface RevealHabits {
  readonly accepts?: (request: ServiceRequest) => ServiceReply | undefined;
  /** How often a page is about copying. */
  readonly copies?: (copyPan: unknown) => number;
  readonly again?: number;
  readonly status?: number;
}

/** Reveals active cards with links that work once. */
function reveals({
  accepts,
  copies = copyPan => (copyPan ? 2 : 1),
  again = 410,
  status = 200,
}: RevealHabits = {}): Routes {
  const base = cards();
  const links: { copyPan: unknown; isOpened: boolean }[] = [];
  const change = base[`POST ${CARDS}/*`];
  const cancelled = new Set<string>();
  return {
    ...base,
    [`POST ${CARDS}/*`]: async request => {
      const { path, body } = request;
      const [, id = '', action = ''] = /\/(\w+)\/([\w-]+)$/.exec(path) ?? [];
      if (action === 'cancel') cancelled.add(id);
      if (action !== 'reveal-html') return typeof change === 'function' ? change(request) : refuse(404);
      const answer = accepts?.(request);
      if (answer !== undefined) return answer;
      if (cancelled.has(id)) return refuse(422, 'cancelled');
      links.push({ copyPan: body.copyPan, isOpened: false });
      return reply(200, { accessUrl: `https://service.example.com/cards/${links.length - 1}` });
    },
    'GET /cards/*': ({ path }) => {
      const link = links[Number(path.split('/').at(-1))];
      if (link === undefined) return refuse(404);
      if (link.isOpened) return reply(again, 'gone');
      link.isOpened = true;
      return reply(status, 'Copy '.repeat(copies(link.copyPan)));
    },
  };
}

const REVEAL = (id: string) => `POST ${CARDS}/${id}/reveal-html`;
const OPEN = 'GET https://service.example.com/***';
const needsStyle = (status: number): Routes =>
  reveals({
    accepts: ({ body }) => (body.stylesheetUrl === undefined ? refuse(status, 'no style') : undefined),
  });
const COPY = 'a card view that shows whether the number can be copied';

const revealing: Row[] = [
  [
    'stylesheet-url',
    'that needs none',
    reveals(),
    observed('a reveal link without stylesheetUrl gets a 200', `${REVEAL('card_1')} 200`),
  ],
  [
    'stylesheet-url',
    'that needs one',
    needsStyle(422),
    contradicted('a reveal link without stylesheetUrl gets a 422: no style', 'required'),
  ],
  ['stylesheet-url', 'that fails', needsStyle(500), unknown(ACTIVE, `${REVEAL('card_1')} 500`)],
  [
    'copy-pan-default',
    'that does not offer to copy by default',
    reveals(),
    observed(
      'the card view without copyPan is like the one with copyPan false',
      ...[`${REVEAL('card_1')} 200`, `${REVEAL('card_1')} 200`, `${REVEAL('card_1')} 200`],
    ),
  ],
  [
    'copy-pan-default',
    'that offers to copy by default',
    reveals({ copies: copyPan => (copyPan === false ? 0 : 1) }),
    contradicted('the card view without copyPan is like the one with copyPan true', true),
  ],
  [
    'copy-pan-default',
    'whose pages are all alike',
    reveals({ copies: () => 1 }),
    unknown(COPY, `${REVEAL('card_1')} 200`),
  ],
  [
    'copy-pan-default',
    'whose page without copyPan is like none',
    reveals({ copies: copyPan => (copyPan === undefined ? 3 : copyPan ? 2 : 1) }),
    unknown(COPY, `${REVEAL('card_1')} 200`),
  ],
  [
    'reveal',
    'whose links work once',
    reveals(),
    observed(
      'the link gets a 200 once and then a 410; for a cancelled card there is a 422',
      ...[
        `${REVEAL('card_1')} 200`,
        `${OPEN} 200`,
        `${OPEN} 410`,
        `POST ${CARDS}/card_2/cancel 200`,
        `${REVEAL('card_2')} 422`,
      ],
    ),
  ],
  [
    'reveal',
    'whose links work again',
    reveals({ again: 200 }),
    contradicted('the link gets a 200 once and then a 200; for a cancelled card there is a 422'),
  ],
  [
    'reveal',
    'whose pages fail',
    reveals({ status: 503 }),
    contradicted('the link gets a 503 once and then a 410; for a cancelled card there is a 422'),
  ],
  [
    'reveal',
    'that reveals cancelled cards with a conflict',
    reveals({ accepts: ({ path }) => (path.includes('card_2') ? refuse(409) : undefined) }),
    contradicted('the link gets a 200 once and then a 410; for a cancelled card there is a 409'),
  ],
  [
    'reveal',
    'without links',
    reveals({ accepts: () => refuse(404) }),
    unknown('a reveal link', `${REVEAL('card_1')} 404`),
  ],
  [
    'reveal',
    'whose links are no URLs',
    reveals({ accepts: () => reply(200, { accessUrl: '/cards/0' }) }),
    unknown('a reveal link', `${REVEAL('card_1')} 200`),
  ],
];

test.each([...issuing, ...revealing])('%s of a service %s', async (id, _, routes, report, options) => {
  expect(await probed(id, routes, { write: true, variables, ...options })).toMatchObject(report);
});

test('a card that cannot be cancelled at the end is reported, and one that is cancelled already is not', async () => {
  const run = async (habits: Habits, ...only: readonly string[]) => {
    const fetch = fetchFrom(cards(habits));
    return (await calibrated('https://service.example.com', { fetch, write: true, variables, only }))
      .leftovers;
  };
  expect(await run({ moves: {}, refusal: 409 }, 'card-initial-status')).toEqual([
    'card card_1 could not be cancelled: not in this state',
  ]);
  expect(await run({}, 'card-moves')).toEqual([]);
  expect(await run({ issue: () => reply(201) }, 'card-initial-status')).toEqual([]);
});

test('a second card that is refused leaves unknown what a cancelled one does', async () => {
  let count = 0;
  const routes = reveals();
  const issue = routes[ISSUE];
  const once: Routes = {
    ...routes,
    [ISSUE]: request => {
      count += 1;
      return count === 1 && typeof issue === 'function' ? issue(request) : refuse(409);
    },
  };
  expect(await probed('reveal', once, { write: true, variables })).toEqual({
    verdict: 'unknown',
    text: 'a second card',
    shown: [`${ISSUE} 409`],
  });
});

test('a card that is active already is not activated', async () => {
  const routes = cards({ status: 'active' });
  const paths: string[] = [];
  const change: Routes = {
    ...routes,
    [`POST ${CARDS}/*`]: ({ path }) => {
      paths.push(path);
      return reply(200);
    },
  };
  await probed('stylesheet-url', change, { write: true, variables });
  expect(paths).toEqual([`${CARDS}/card_1/reveal-html`, `${CARDS}/card_1/cancel`]);
});

test('a link is opened as a browser does, and asks for a stylesheet of example.com', async () => {
  const bodies: unknown[] = [];
  const routes = reveals({
    accepts({ body }) {
      bodies.push(body);
      return undefined;
    },
  });
  await probed('copy-pan-default', routes, { write: true, variables });
  const stylesheetUrl = 'https://card-sandbox-calibration.example.com/card.css';
  expect(bodies).toEqual([
    { stylesheetUrl },
    { stylesheetUrl, copyPan: true },
    { stylesheetUrl, copyPan: false },
  ]);
});
