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
  const own = { pid: 7, instance: 'one' };
  const startedAt = '2026-03-15T10:00:00.000Z';
  const stop = () => (stops += 1);
  const { control } = startInProcess({}, { process: { ...own, machine: 'host', startedAt, stop } });
  expect((await control('GET', '/info')).body.process).toEqual({ ...own, startedAt });
  expect(await control('POST', '/stop', { instance: 'two' })).toMatchObject({ status: 409 });
  const { id } = (await control('POST', '/worlds', {})).body;
  expect(await control('POST', `/worlds/${id}/stop`, {})).toMatchObject({
    status: 409,
    body: { error: expect.stringMatching(/^only the sandbox as a whole can be stopped; call POST/) },
  });
  expect(stops).toBe(0);
  expect(await control('POST', '/stop', { instance: 'one' })).toEqual({
    status: 202,
    body: { ...own, machine: 'host' },
  });
  expect(stops).toBe(1);
});
