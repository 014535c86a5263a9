import { expect, test } from 'vitest';
import { answerOf, receive } from '../../sandbox/transport/receiver.ts';
import { SECRET } from '../../support/receiver.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

/** A wrong order showed in about half of the rounds. */
const ROUNDS = 10;
const EVENTS = 6;

/** A sandbox whose webhooks go over real connections to a receiver that responds with a status. */
async function startWithReceiver(status: number, subscribedEvents: readonly string[]) {
  const receiver = await receive(socket => socket.write(answerOf(status)));
  const sandbox = await startSandbox({ freeze: true, retrySpeed: 1, allowHttpWebhooks: true });
  const config = { webhookUrl: receiver.url, webhookSecret: SECRET, subscribedEvents };
  expect((await sandbox.api('PATCH', '/partner/webhooks/config', config)).status).toBe(200);
  /** Removes and returns the bodies that have arrived. */
  const arrived = () => receiver.requests.splice(0).map(text => JSON.parse(text.slice(text.indexOf('{'))));
  return { ...sandbox, arrived };
}

test('attempts that are due at one moment arrive, and end, in the order of their events', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { control, arrived, origin } = await startWithReceiver(500, ['balance.top_up']);
    for (let event = 0; event < EVENTS; event++) await control('POST', '/balance/top-up', { amount: 1 });
    await control('POST', '/deliveries/settle');
    const ids: string[] = (await control('GET', '/deliveries')).body
      .map(({ id }: { id: string }) => id)
      .toReversed();
    expect(arrived().map(({ id }) => id)).toEqual(ids);
    await control('POST', '/clock/advance', { duration: '1m' });
    expect(arrived().map(({ id }) => id)).toEqual(ids);
    const text = await (await fetch(`${origin}/_sandbox/history/export`)).text();
    const ended = [...text.matchAll(/"attempt":\{"event":"([^"]+)"/g)].map(([, id]) => id);
    expect(ended).toEqual([...ids, ...ids]);
  }
});

test('a receiver hears of the decision about somebody before it hears that they are approved', async () => {
  const types = ['cardholder.kyc.updated', 'cardholder.approved'];
  const { api, control, arrived } = await startWithReceiver(200, types);
  const { body: programs } = await api('GET', '/partner/card-programs');
  for (let person = 0; person < ROUNDS; person++) {
    const { id } = (await api('POST', '/partner/cardholders', newCardholder())).body;
    await api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: programs.data[0].id });
  }
  await control('POST', '/clock/advance', { duration: '1h' });
  const seen = new Map<string, string[]>();
  for (const { eventType, data } of arrived()) seen.set(data.id, [...(seen.get(data.id) ?? []), eventType]);
  expect([...seen.values()]).toEqual(Array(ROUNDS).fill(types));
});
