import { expect, test } from 'vitest';
import { abortOnSignals, signalExitCode } from '../../src/cli/signals.ts';

test('a command that is asked to end aborts, and knows the signal; once released, it no longer listens', () => {
  const before = process.listeners('SIGHUP');
  const end = abortOnSignals();
  expect([end.signal.aborted, end.received()]).toEqual([false, null]);
  // Other tests of this process may have handlers that end it.
  const own = process.listeners('SIGHUP').filter(each => !before.includes(each));
  for (const listener of own) listener('SIGHUP');
  expect([end.signal.aborted, end.received()]).toEqual([true, 'SIGHUP']);
  end.release();
  expect(process.listeners('SIGHUP')).toEqual(before);
});

test('the exit code of a signal is the one that a shell reports', () => {
  expect([signalExitCode('SIGINT'), signalExitCode('SIGTERM')]).toEqual([130, 143]);
});
