import { subscribe as listen, unsubscribe } from 'node:diagnostics_channel';
import { expect, onTestFinished, test } from 'vitest';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

/** The channel on which Node reports that a response was passed to its connection. */
const ANSWERED = 'http.server.response.finish';

test('a webhook is sent after the response to the request that caused it, also with concurrent requests', async () => {
  const order: string[] = [];
  const { transport } = fakeReceiver(({ event }) => {
    order.push(`webhook of ${event.data.externalUserId}`);
    return 200;
  });
  const sandbox = await startSandbox({ rateLimit: 0 }, { transport });
  await subscribe(sandbox, ['cardholder.created']);
  // Messages of the channel have no type.
  const note = (message: unknown) => {
    const { response } = message as { response: { req: { headers: Record<string, string> } } };
    order.push(`answer to ${response.req.headers['x-person']}`);
  };
  listen(ANSWERED, note);
  onTestFinished(() => void unsubscribe(ANSWERED, note));

  const people = Array.from({ length: 20 }, newCardholder);
  for (let round = 0; round < people.length; round += 5) {
    const some = people.slice(round, round + 5);
    await Promise.all(
      some.map(person =>
        sandbox.api('POST', '/partner/cardholders', person, { 'x-person': String(person.externalUserId) }),
      ),
    );
  }
  await sandbox.control('POST', '/deliveries/settle');
  for (const { externalUserId } of people) {
    const answered = order.indexOf(`answer to ${externalUserId}`);
    expect(answered).toBeGreaterThanOrEqual(0);
    expect(order.indexOf(`webhook of ${externalUserId}`)).toBeGreaterThan(answered);
  }
});
