import { expect } from 'vitest';
import { answerOf, receive } from '../../sandbox/transport/receiver.ts';
import { createCardholder } from '../../support/cardholders.ts';
import { fakeReceiver } from '../../support/receiver.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { seriousViolations } from '../support/accessibility.ts';
import { browserTest } from '../support/browser.ts';
import { confirm, fillIn, openDashboard, press, waitForText } from '../support/dashboard.ts';

browserTest('a person sets where webhooks are forwarded, and goes back to the start', async () => {
  const app = await receive(socket => socket.write(answerOf(200)));
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox, '#/webhook-settings');
  await press(page, 'Edit forwarding');
  await fillIn(page, { 'Forward to': 'nowhere' });
  await confirm(page, 'Save');
  await waitForText(page, '[role=alert]', 'body.url: must be an absolute http:// or https:// URL');
  await fillIn(page, { 'Forward to': app.url, 'http:// URLs': 'true' });
  expect(await seriousViolations(page)).toEqual([]);
  await confirm(page, 'Save');
  await waitForText(page, '.facts', app.url);
  const { body } = await sandbox.control('GET', '/forwarding');
  expect(body).toMatchObject({ url: app.url, allowHttp: true });
  expect(await seriousViolations(page)).toEqual([]);
  await press(page, 'Use default');
  await waitForText(page, '.toast', 'Webhooks are forwarded as at the start');
  expect((await sandbox.control('GET', '/forwarding')).body.url).toBeNull();
  await expect.poll(() => page.getByText(app.url).count()).toBe(0);
});

browserTest('a person sends a delivered webhook once more', async () => {
  const { transport, seen } = fakeReceiver((_, count) => (count === 1 ? 200 : 500));
  const sandbox = await startSandbox({ forwardTo: 'http://127.0.0.1:9/' }, { transport });
  await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  const { body } = await sandbox.control('GET', '/deliveries');
  const { page } = await openDashboard(sandbox, `#/webhooks/${body[0].id}`);
  await press(page, 'Redeliver');
  await waitForText(page, '.attempts .badge', 'redelivery');
  expect(seen.map(({ event }) => event.id)).toEqual([body[0].id, body[0].id]);
  await waitForText(page, '.detail-head .badge', 'delivered');
  expect(await seriousViolations(page)).toEqual([]);
});
