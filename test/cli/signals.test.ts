import { expect, test } from 'vitest';
import { abortOnSignals, signalExitCode } from '../../src/cli/signals.ts';

test('a command that is asked to end aborts, and knows the signal; once released, it no longer listens', () => {
  const before = process.listenerCount('SIGHUP');
  const end = abortOnSignals();
  expect([end.signal.aborted, end.received()]).toEqual([false, null]);
  process.emit('SIGHUP', 'SIGHUP');
  expect([end.signal.aborted, end.received()]).toEqual([true, 'SIGHUP']);
  end.release();
  expect(process.listenerCount('SIGHUP')).toBe(before);
});

test('the exit code of a signal is the one that a shell reports', () => {
  expect([signalExitCode('SIGINT'), signalExitCode('SIGTERM')]).toEqual([130, 143]);
});
