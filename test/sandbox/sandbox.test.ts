import { expect, onTestFinished, test, vi } from 'vitest';
import { type CoreHooks, createSandboxCore } from '../../src/sandbox/sandbox.ts';
import { startInProcess } from '../support/in-process.ts';
import { HOOKS } from '../support/receiver.ts';
import { START } from '../support/sandbox.ts';

function start(options = {}, hooks: CoreHooks = {}) {
  const sandbox = createSandboxCore({ fixtures: ['empty'], clock: START, freeze: true, ...options }, hooks);
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

test('an internal error is printed with its place where nobody else hears of it', () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => print.mockRestore());
  const error = new Error('broken');
  start().onBug(error, 'a page');
  expect(print.mock.calls).toEqual([['bug in the sandbox, in a page:', error]]);
});

test('the generated webhook secrets are those of the partners without a configuration', () => {
  expect(start().webhookSecrets()).toEqual({});
  const secrets = start({ forwardTo: HOOKS }).webhookSecrets();
  expect(Object.keys(secrets)).toEqual(['partner_acme', 'partner_globex']);
  expect(secrets.partner_acme).toMatch(/^whsec_/);
  expect(secrets.partner_globex).not.toBe(secrets.partner_acme);
});

test('a process that does nothing but serve a sandbox is shown, and stopped on demand', async () => {
  let stops = 0;
  const own = { pid: 7, machine: 'host', instance: 'one' };
  const { control } = startInProcess({}, { process: { ...own, stop: () => (stops += 1) } });
  expect(await control('GET', '/process')).toEqual({ status: 200, body: own });
  expect(await control('POST', '/stop', { instance: 'two' })).toMatchObject({ status: 409 });
  expect(stops).toBe(0);
  expect(await control('POST', '/stop', { instance: 'one' })).toEqual({ status: 202, body: own });
  expect(stops).toBe(1);
});
