import { expect, onTestFinished, test, vi } from 'vitest';
import { createSandboxCore } from '../../src/sandbox/sandbox.ts';
import { startInProcess } from '../support/in-process.ts';

test('an internal error is printed with its place where nobody else hears of it', () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => print.mockRestore());
  const error = new Error('broken');
  const sandbox = createSandboxCore({ fixtures: ['empty'] });
  onTestFinished(() => sandbox.stop());
  sandbox.onBug(error, 'a page');
  expect(print.mock.calls).toEqual([['bug in the sandbox, in a page:', error]]);
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
