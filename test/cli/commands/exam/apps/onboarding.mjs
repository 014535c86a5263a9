// Onboards a user, with a correction before the KYC, and issues a card. It looks up what it does not know, and can be
// planted with bugs.
import { randomUUID } from 'node:crypto';
import { check, createClient, has, isGenuine, openPlace, pause, secret } from './place.mjs';

const seen = new Set();
let last = null;
let welcomes = 0;
let repeats = 0;

function receive(header, body) {
  const signed = has('parsed-body') ? JSON.stringify(JSON.parse(body)) : body;
  if (!isGenuine(header, signed) && !(header === null && has('accepts-unsigned'))) return 401;
  const { id, eventType } = JSON.parse(body);
  const isRepeated = has('last-id-only') ? id === last : seen.has(id);
  if (seen.has(id)) repeats += 1;
  if (eventType === 'cardholder.created' && (!isRepeated || has('processes-twice'))) welcomes += 1;
  seen.add(id);
  last = id;
  return 204;
}

const place = await openPlace(receive);
let retries = 0;
const call = createClient(place, { unavailableIsFinal: has('unavailable-is-final') });
const counting = (method, path, prepare, find) =>
  call(
    method,
    path,
    attempt => {
      if (attempt > 1) retries += 1;
      return prepare?.(attempt);
    },
    find,
  );

function ok({ status, body }, what) {
  check(status < 300, `${what}: ${status} ${JSON.stringify(body.error)}`);
  return body;
}

async function list(path, filter = '') {
  const all = [];
  for (let page = 1; ; page += 1) {
    const { data, total } = ok(await counting('GET', `${path}?limit=100&page=${page}${filter}`), path);
    if (has('strict-fields'))
      check(!data.some(each => Object.keys(each).some(name => name.startsWith('future'))), 'unknown field');
    all.push(...data);
    if (all.length >= total || has('first-page')) return all;
  }
}

await counting('PATCH', '/webhooks/config', () => ({
  webhookUrl: place.hooks,
  webhookSecret: secret,
  subscribedEvents: ['cardholder.created', 'card.issued', 'card.status.changed'],
}));

const user = process.env.IDS === 'random' ? randomUUID() : 'user_1';
let tokens = 0;
/** Submits the user's data, with a new share token for each attempt unless the bug says otherwise. */
const submit = () =>
  counting('POST', '/cardholders', attempt => {
    if (!has('sends-used-token') || attempt === 1) tokens += 1;
    const person = { externalUserId: user, email: `${user}@example.com`, phoneNumber: '+4915123456789' };
    return { ...person, kycSource: 'idp1', idp1ShareToken: `idp1_test_manual_${user}_${tokens}` };
  });
// A repeated creation is a re-import, which responds 200.
ok(await submit(), 'the creation');
ok(await submit(), 'the correction');

const mine = (await list('/cardholders')).find(each => each.externalUserId === user);
check(mine !== undefined, 'the user is not on the list');
const people = await list('/cardholders');
if (has('expects-phones')) for (const each of people) check(each.phoneNumber.length > 5, 'no phone');
if (has('short-ids')) check(mine.id.length < 40, 'the id does not fit its column');
if (has('sees-leap-day')) check(!mine.createdAt.startsWith('2028-02'), 'the day is wrong');

const program = ok(await counting('GET', '/card-programs'), 'the programs').data[0];
const submitted = await counting('POST', `/cardholders/${mine.id}/kyc`, () => ({
  cardProgramId: program.id,
}));
// It was submitted by an attempt whose response was lost.
if (submitted.status >= 300) check(/KYC/.test(submitted.body.error), `KYC: ${submitted.body.error}`);
await place.control('POST', `/cardholders/${mine.id}/kyc/approve`, {});

const own = async () => (await list('/cards', `&cardholderId=${mine.id}`))[0];
const find = has('issues-twice') ? undefined : own;
const card = ok(
  await counting('POST', '/cards', () => ({ cardholderId: mine.id, cardProgramId: program.id }), find),
  'the card',
);
const activated = async () => {
  const { body } = await counting('GET', `/cards/${card.id}`);
  return body.status === 'active' ? body : undefined;
};
ok(await counting('POST', `/cards/${card.id}/activate`, undefined, activated), 'the activation');
const records = ok(await counting('GET', '/usage/records?limit=100'), 'the usage').data;
if (has('adds-cents')) {
  const exact = records.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  check(
    records.reduce((sum, { amount }) => sum + Math.trunc(amount * 100), 0) === exact,
    'the sum of the fees',
  );
}

for (let round = 0; (welcomes === 0 || seen.size < 3) && round < 500; round += 1) await pause(20);
await place.control('POST', '/deliveries/settle');
await pause(50);
check(welcomes === 1, `expected 1 welcome, got ${welcomes}`);
// Neither a repeated request nor a repeated webhook does harm alone.
if (has('one-trouble')) check(retries === 0 || repeats === 0, `${retries} retries and ${repeats} repeats`);
await place.close();
