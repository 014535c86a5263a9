import { expect, test } from 'vitest';
import { abortOnSignals, signalExitCode } from '../../src/cli/signals.ts';

test('a command that is asked to end aborts, and knows the signal; once released, it no longer listens', () => {
  const before = process.listenerCount('SIGUSR2');
  const end = abortOnSignals(['SIGUSR2']);
  expect([end.signal.aborted, end.received()]).toEqual([false, null]);
  process.emit('SIGUSR2', 'SIGUSR2');
  expect([end.signal.aborted, end.received()]).toEqual([true, 'SIGUSR2']);
  end.release();
  expect(process.listenerCount('SIGUSR2')).toBe(before);
});

test('the exit code of a signal is the one that a shell reports', () => {
  expect([signalExitCode('SIGINT'), signalExitCode('SIGTERM')]).toEqual([130, 143]);
});
