// A small integration and its tests. STYLE says, as JSON, how the app repeats requests and how the tests are written.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const { STYLE, INDEX, SERVICE_BASE_URL, SERVICE_API_KEY, CARD_SANDBOX_URL } = process.env;
const style = {
  /** What the app does when it does not know whether a write was applied. */
  retry: 'look-up', // or 'blind', 'undo' (issues again, then cancels what is too much), 'give-up'
  /** Who issues the cards: the test's call, or the receiver when a cardholder was created. */
  issues: 'call', // or 'webhook', 'webhook-once'
  ids: 'fixed', // or 'random', 'per-attempt' (a new user for each attempt)
  phones: 'one', // of all users, or 'own' (drawn at random)
  order: 'fixed', // or 'shuffled'
  parallel: false,
  /** What comes before each test. */
  before: 'nothing', // or 'reset', 'checkpoint', 'sandbox' (one in this process), 'server' (likewise, listening), 'partner'
  cards: 1, // cards of each user; 0 draws a number from 1 to 3
  replaces: false, // cancels the first card of each user and issues another
  rename: false, // another name on each card, drawn at random
  users: 3, // 0 creates users for some milliseconds
  cleans: false, // each test cancels the cards of its user at the end
  repeats: 0, // how often a failed test is run again
  ...JSON.parse(STYLE),
};
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const json = { 'content-type': 'application/json' };

/** The sandbox that a test uses. */
const main = {
  key: SERVICE_API_KEY,
  api: (path, init) => fetch(SERVICE_BASE_URL + path, init),
  control: (path, init) => fetch(`${CARD_SANDBOX_URL}/_sandbox${path}`, init),
  close: async () => undefined,
};

async function control(sandbox, method, path, body) {
  const response = await sandbox.control(path, {
    method,
    headers: json,
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.status === 204 ? null : response.json();
}

async function send(sandbox, method, path, body) {
  try {
    const headers = { ...json, 'x-service-api-key': sandbox.key };
    const response = await sandbox.api(path, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (response.status < 500) return { status: response.status, body: JSON.parse(text) };
  } catch {}
  return null;
}

/** Sends a request that may be sent again. */
async function call(sandbox, method, path, body) {
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const response = await send(sandbox, method, path, body);
    if (response !== null) return response.body;
    await pause(10);
  }
  throw new Error(`gave up ${path}`);
}

/** Creates a record as the style says. `bodyOf` returns the body of an attempt, `find` what exists already. */
async function create(sandbox, path, bodyOf, find) {
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const response = await send(sandbox, 'POST', path, bodyOf(attempt));
    if (response?.status < 300) return response.body;
    if (response !== null || style.retry === 'give-up') throw new Error(`POST ${path}: ${response?.status}`);
    const found = style.retry === 'look-up' ? await find() : undefined;
    if (found !== undefined) return found;
  }
  throw new Error(`gave up ${path}`);
}

async function onboard(sandbox, user) {
  const find = async () =>
    (await call(sandbox, 'GET', `/partner/cardholders?externalUserId=${user}`)).data[0];
  const phoneNumber =
    style.phones === 'own' ? `+49151${Math.floor(1e7 + Math.random() * 8e7)}` : '+4915123456789';
  const bodyOf = attempt => {
    const id = style.ids === 'per-attempt' ? randomUUID() : user;
    return {
      ...{ externalUserId: id, email: `${id}@example.com`, phoneNumber, kycSource: 'idp1' },
      idp1ShareToken: `idp1_test_approve_${id}_${attempt}`,
    };
  };
  // With a token of its own for each attempt, so that only the id of the user keeps a person from existing twice.
  const cardholder = (await find()) ?? (await create(sandbox, '/partner/cardholders', bodyOf, find));
  const { data } = await call(sandbox, 'GET', '/partner/card-programs');
  const program = data.find(each => each.status === 'active');
  await call(sandbox, 'POST', `/partner/cardholders/${cardholder.id}/kyc`, { cardProgramId: program.id });
  await control(sandbox, 'POST', `/cardholders/${cardholder.id}/kyc/approve`, {});
  return { cardholderId: cardholder.id, cardProgramId: program.id };
}

const cardsOf = async (sandbox, id) =>
  (await call(sandbox, 'GET', `/partner/cards?cardholderId=${id}`)).data.filter(
    ({ status }) => status !== 'cancelled',
  );

async function cancel(sandbox, card) {
  await send(sandbox, 'POST', `/partner/cards/${card.id}/cancel`);
  await send(sandbox, 'POST', `/partner/cards/${card.id}/cancel`);
}

async function issue(sandbox, order) {
  const known = new Set((await cardsOf(sandbox, order.cardholderId)).map(({ id }) => id));
  const added = async () => (await cardsOf(sandbox, order.cardholderId)).filter(({ id }) => !known.has(id));
  const nameOnCard = style.rename ? `Ada ${randomUUID().slice(0, 8)}` : 'Ada';
  const card = await create(
    sandbox,
    '/partner/cards',
    () => ({ ...order, nameOnCard }),
    async () => (await added())[0],
  );
  if (style.retry === 'undo') for (const each of (await added()).slice(1)) await cancel(sandbox, each);
  return card;
}

/** One test: a user gets cards. It looks at nothing but what the app returned. */
async function testUser(sandbox, name) {
  const user = style.ids === 'fixed' ? name : `user-${randomUUID()}`;
  const order = await onboard(sandbox, user);
  if (style.issues !== 'call') {
    for (let left = 200; (await cardsOf(sandbox, order.cardholderId)).length === 0; left -= 1) {
      if (left === 0) throw new Error('no card');
      await pause(20);
    }
    return;
  }
  const cards = style.cards === 0 ? 1 + Math.floor(Math.random() * 3) : style.cards;
  for (let card = 0; card < cards; card += 1) {
    const issued = await issue(sandbox, order);
    if (typeof issued.id !== 'string') throw new Error('no card');
    if (style.replaces && card === 0) {
      await cancel(sandbox, issued);
      await issue(sandbox, order);
    }
  }
  if (style.cleans)
    for (const card of await cardsOf(sandbox, order.cardholderId)) await cancel(sandbox, card);
}

async function sandboxFor() {
  if (style.before === 'reset') await control(main, 'POST', '/reset');
  if (style.before === 'checkpoint') await control(main, 'POST', '/checkpoints/start/restore');
  if (style.before === 'partner')
    return { ...main, key: (await control(main, 'POST', '/partners', {})).apiKey };
  if (style.before !== 'sandbox' && style.before !== 'server') return main;
  const { createSandbox, startServer } = await import(INDEX);
  // As of the sandbox of the exam: only the test decides.
  const kycDelay = '1h';
  const own = style.before === 'sandbox' ? createSandbox({ kycDelay }) : await startServer({ kycDelay });
  return {
    key: own.apiKey,
    api: (path, init) => own.fetch(`/v1${path}`, init),
    control: (path, init) => own.fetch(`/_sandbox${path}`, init),
    close: () => own.close(),
  };
}

async function runTest(name) {
  for (let left = style.repeats; ; left -= 1) {
    const sandbox = await sandboxFor();
    try {
      return await testUser(sandbox, name);
    } catch (error) {
      if (left === 0) throw error;
    } finally {
      await sandbox.close();
    }
  }
}

/** Issues a card for each cardholder whose KYC was approved, once or as often as the event comes. */
async function startReceiver() {
  const seen = new Set();
  const receiver = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, data } = JSON.parse(Buffer.concat(chunks));
    response.writeHead(204).end();
    if (style.issues === 'webhook-once' && seen.has(id)) return;
    seen.add(id);
    const { data: programs } = await call(main, 'GET', '/partner/card-programs');
    const { id: cardProgramId } = programs.find(each => each.status === 'active');
    await create(
      main,
      '/partner/cards',
      () => ({ cardholderId: data.id, cardProgramId }),
      async () => (await cardsOf(main, data.id))[0],
    );
  });
  await new Promise(resolve => receiver.listen(0, '127.0.0.1', resolve));
  await call(main, 'PATCH', '/partner/webhooks/config', {
    webhookUrl: `http://127.0.0.1:${receiver.address().port}/`,
    webhookSecret: 'a-secret-of-more-than-16',
    subscribedEvents: ['cardholder.approved'],
  });
  return receiver;
}

if (style.before === 'checkpoint') await control(main, 'POST', '/checkpoints/start');
const receiver = style.issues === 'call' ? null : await startReceiver();
const names = Array.from({ length: style.users }, (_, index) => `user-${index}`);
if (style.order === 'shuffled') names.sort(() => Math.random() - 0.5);
if (style.parallel) await Promise.all(names.map(runTest));
else for (const name of names) await runTest(name);
const endsAt = Date.now() + 300;
for (let count = 0; style.users === 0 && Date.now() < endsAt; count += 1) await runTest(`user-${count}`);
// What the receiver still does after its response.
if (receiver !== null) await pause(300);
process.exit(0);
