// Keeps webhooks in an inbox and reads the current record before it shows anything; the card is issued by the inbox.
import { check, createClient, isGenuine, openPlace, pause, secret } from './place.mjs';

const inbox = new Map();
const shown = new Map();

function receive(header, body) {
  if (!isGenuine(header, body)) return 401;
  const event = JSON.parse(body);
  if (!inbox.has(event.id)) inbox.set(event.id, { event, isDone: false });
  return 202;
}

const place = await openPlace(receive);
const call = createClient(place);
const cardOf = async id => (await call('GET', `/cards?cardholderId=${id}`)).body.data[0];
const { data: programs } = (await call('GET', '/card-programs')).body;

async function work() {
  for (const row of inbox.values()) {
    if (row.isDone) continue;
    const { eventType, data } = row.event;
    if (eventType === 'cardholder.approved') {
      const body = () => ({ cardholderId: data.id, cardProgramId: programs[0].id });
      if ((await cardOf(data.id)) === undefined) await call('POST', '/cards', body, () => cardOf(data.id));
    }
    if (eventType === 'card.issued') shown.set(data.id, (await call('GET', `/cards/${data.id}`)).body.status);
    row.isDone = true;
  }
}

await call('PATCH', '/webhooks/config', () => ({
  webhookUrl: place.hooks,
  webhookSecret: secret,
  subscribedEvents: ['cardholder.approved', 'card.issued'],
}));
for (const name of ['ada', 'bob']) {
  const { id } = await place.control('POST', '/cardholders', { identity: { firstName: name } });
  for (let round = 0; (await cardOf(id)) === undefined && round < 400; round += 1) {
    await work();
    await pause(20);
  }
}
for (let round = 0; shown.size < 2 && round < 400; round += 1) {
  await work();
  await pause(20);
}
check(shown.size === 2, `shows ${shown.size} cards`);
await place.close();
