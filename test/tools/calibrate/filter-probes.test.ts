import { expect, test } from 'vitest';
import { page, probed, type Routes, refuse, reply } from './other-service.ts';

const CARDS = '/partner/cards';
const PEOPLE = '/partner/cardholders';
const USAGE = '/partner/usage/records';
const NEEDS_NAME = 'a name of the filter that has an effect; pass --var parameters=…';

/** A list of five records with one filter. `matches` decides which values leave records, and null refuses the value. */
function listWith(
  path: string,
  parameter: string,
  matches: (value: string) => boolean | null = () => false,
  total = 5,
): Routes {
  return {
    [`GET ${CARDS}`]: page(),
    [`GET ${path}`]: ({ query }) => {
      const value = query[parameter];
      const result = value === undefined ? true : matches(value);
      return result === null ? refuse(400) : reply(200, { data: [], total: result ? total : 0 });
    },
  };
}

test.each([
  ['card-status-parameter', CARDS, 'status'],
  ['usage-from-parameter', USAGE, 'from'],
  ['usage-to-parameter', USAGE, 'to'],
  ['usage-period-parameter', USAGE, 'billingPeriod'],
  ['usage-type-parameter', USAGE, 'type'],
])('%s is observed where GET %s filters by %s', async (id, path, name) => {
  const { verdict, text, shown } = await probed(id, listWith(path, name));
  expect([verdict, text]).toEqual(['observed', `${name} filters GET ${path}`]);
  expect(shown).toHaveLength(2);
  expect(shown[0]).toBe(`GET ${path}?limit=1 200`);
  expect(shown[1]).toMatch(new RegExp(`^GET ${path}\\?limit=1&${name}=[^&]+ 200$`));
});

test.each([
  ['card-status-parameter', CARDS, 'state'],
  ['card-status-parameter', CARDS, 'lifecycleStatus'],
  ['card-status-parameter', CARDS, 'card_state'],
  ['card-status-parameter', CARDS, 'filter-status'],
  ['card-status-parameter', CARDS, 'filter[cardStatus]'],
  ['usage-from-parameter', USAGE, 'created[gte]'],
  ['usage-from-parameter', USAGE, 'created_at__after'],
  ['usage-from-parameter', USAGE, 'createdAt.from'],
  ['usage-to-parameter', USAGE, 'created[lte]'],
  ['usage-to-parameter', USAGE, 'createdAt.to'],
  ['usage-to-parameter', USAGE, 'created_at__before'],
  ['usage-to-parameter', USAGE, 'filter[recordedBefore]'],
  ['usage-period-parameter', USAGE, 'usage-month'],
  ['usage-type-parameter', USAGE, 'filter[typeFilter]'],
])('%s finds that GET %s filters by %s', async (id, path, name) => {
  const { verdict, text, value, shown } = await probed(id, listWith(path, name));
  expect([verdict, text, value]).toEqual(['contradicted', `${name} filters GET ${path}`, name]);
  expect(shown).toHaveLength(2);
  expect(new URL(`https://x${shown[1]?.split(' ')[1]}`).searchParams.has(name)).toBe(true);
});

test('no request has more than sixty names, so that its URL is not too long', async () => {
  const counts: number[] = [];
  const routes: Routes = {
    [`GET ${USAGE}`]: ({ query }) => {
      counts.push(Object.keys(query).length - 1);
      return reply(200, { data: [], total: 5 });
    },
  };
  expect(await probed('usage-to-parameter', routes)).toMatchObject({ verdict: 'unknown' });
  expect(Math.max(...counts)).toBe(60);
});

test('a filter is found that accepts the first value, and refuses another', async () => {
  const onlyDates = listWith(USAGE, 'since', value => (/^\d{4}-\d\d-\d\dT/.test(value) ? true : null));
  expect(await probed('usage-from-parameter', onlyDates)).toMatchObject({ value: 'since' });
});

test('in an empty list only a refusal shows a filter', async () => {
  const silent = await probed(
    'usage-type-parameter',
    listWith(USAGE, 'kind', () => false, 0),
  );
  expect(silent).toMatchObject({ verdict: 'unknown', text: NEEDS_NAME, shown: [`GET ${USAGE}?limit=1 200`] });
  const refusing = await probed(
    'usage-type-parameter',
    listWith(USAGE, 'kind', () => null, 0),
  );
  expect(refusing.value).toBe('kind');
});

test('a list without a total, or a filter without an effect, is unknown', async () => {
  const untotalled: Routes = { [`GET ${USAGE}`]: reply(200, { data: [{}] }) };
  expect(await probed('usage-from-parameter', untotalled)).toMatchObject({ text: NEEDS_NAME });
  const deaf = listWith(USAGE, 'from', () => true);
  expect(await probed('usage-from-parameter', deaf)).toMatchObject({ verdict: 'unknown', text: NEEDS_NAME });
});

test('names that have an effect only together are no filter', async () => {
  const together: Routes = {
    [`GET ${USAGE}`]: ({ query }) =>
      query.kind !== undefined && query.category !== undefined
        ? refuse(400)
        : reply(200, { data: [], total: 5 }),
  };
  expect(await probed('usage-type-parameter', together)).toMatchObject({
    verdict: 'unknown',
    text: NEEDS_NAME,
  });
});

test('a service that refuses unknown parameters gets each name alone with a valid value', async () => {
  const known = (...names: readonly string[]): Routes => ({
    [`GET ${USAGE}`]: ({ query }) => {
      const isKnown = Object.keys(query).every(name => names.includes(name));
      return isKnown && !Object.values(query).includes('card-sandbox-calibration')
        ? reply(200, { data: [], total: 5 })
        : refuse(400);
    },
  });
  expect(await probed('usage-period-parameter', known('limit', 'invoiceMonth'))).toEqual({
    verdict: 'contradicted',
    text: `invoiceMonth filters GET ${USAGE}`,
    value: 'invoiceMonth',
    shown: [
      `GET ${USAGE}?limit=1&cardSandboxCalibration=1971-01 400`,
      `GET ${USAGE}?limit=1&invoiceMonth=2026-01 200`,
    ],
  });
  const none = await probed('usage-period-parameter', known('limit'));
  expect(none).toEqual({
    verdict: 'unknown',
    text: 'the name of the filter in --var parameters=…',
    shown: [`GET ${USAGE}?limit=1&cardSandboxCalibration=1971-01 400`],
  });
  const variables = { parameters: 'zeit,raum' };
  expect((await probed('usage-period-parameter', known('limit', 'raum'), { variables })).value).toBe('raum');
});

test('the filter of cards by cardholder is seen with the id of nobody', async () => {
  const cards = (left: number): Routes => ({
    [`GET ${CARDS}`]: ({ query }) =>
      reply(200, { data: [], total: query.cardholderId === 'card-sandbox-calibration' ? left : 3 }),
  });
  expect(await probed('cardholder-parameter', cards(0))).toEqual({
    verdict: 'observed',
    text: `with the cardholderId of nobody, GET ${CARDS} returns 0 of 3 cards`,
    shown: [`GET ${CARDS}?limit=1 200`, `GET ${CARDS}?cardholderId=card-sandbox-calibration 200`],
  });
  expect(await probed('cardholder-parameter', cards(3))).toMatchObject({
    verdict: 'contradicted',
    text: `with the cardholderId of nobody, GET ${CARDS} returns 3 of 3 cards`,
  });
  expect(await probed('cardholder-parameter', {})).toEqual({
    verdict: 'unknown',
    text: 'a card',
    shown: [`GET ${CARDS}?limit=1 200`],
  });
});

test('the filters of cardholders are seen when all records of the list match', async () => {
  const mia = { status: 'active', kycStatus: 'approved', externalUserId: 'u1', email: 'mia@example.com' };
  const tom = { status: 'inactive', kycStatus: 'pending', externalUserId: 'u2', email: 'tom@example.com' };
  const people = (...ignored: readonly string[]): Routes => ({
    [`GET ${PEOPLE}`]: ({ query }) => {
      const { limit: _, ...filters } = query;
      const kept = Object.entries(filters).filter(([name]) => !ignored.includes(name));
      return page(
        ...[mia, tom].filter(each => kept.every(([name, value]) => Reflect.get(each, name) === value)),
      );
    },
  });
  expect(await probed('cardholder-list', people())).toEqual({
    verdict: 'observed',
    text: `GET ${PEOPLE} filters by status, kycStatus, externalUserId and email`,
    shown: [
      `GET ${PEOPLE}?limit=100 200`,
      `GET ${PEOPLE}?status=active&limit=100 200`,
      `GET ${PEOPLE}?kycStatus=approved&limit=100 200`,
      `GET ${PEOPLE}?externalUserId=u1&limit=100 200`,
      `GET ${PEOPLE}?email=mia%40example.com&limit=100 200`,
    ],
  });
  expect(await probed('cardholder-list', people('kycStatus', 'email'))).toMatchObject({
    verdict: 'contradicted',
    text: `GET ${PEOPLE} does not filter by kycStatus, email`,
  });
  expect(
    await probed('cardholder-list', people('status', 'kycStatus', 'externalUserId', 'email')),
  ).toMatchObject({
    text: `GET ${PEOPLE} does not filter by status, kycStatus, externalUserId, email`,
  });
  const forgetful: Routes = { [`GET ${PEOPLE}`]: ({ query }) => (query.email ? page() : page(mia)) };
  expect(await probed('cardholder-list', forgetful)).toMatchObject({
    text: `GET ${PEOPLE} does not filter by email`,
  });
  expect(await probed('cardholder-list', { [`GET ${PEOPLE}`]: page() })).toEqual({
    verdict: 'unknown',
    text: 'a cardholder',
    shown: [`GET ${PEOPLE}?limit=100 200`],
  });
  expect(await probed('cardholder-list', {})).toEqual({
    verdict: 'contradicted',
    text: `GET ${PEOPLE} gets a 404`,
    shown: [`GET ${PEOPLE}?limit=100 404`],
  });
});
