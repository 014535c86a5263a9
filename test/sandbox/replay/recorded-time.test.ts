import { expect, test } from 'vitest';
import { RecordedTime } from '../../../src/sandbox/replay/recorded-time.ts';

test('a timer that was set before the wall time of the machine applies can be cancelled after', async () => {
  const time = new RecordedTime(0);
  const fired: string[] = [];
  const cancel = time.after(1, () => fired.push('cancelled'));
  const later = new Promise<void>(resolve => {
    time.after(20, () => {
      fired.push('kept');
      resolve();
    });
  });
  time.release();
  cancel();
  await later;
  expect(fired).toEqual(['kept']);
});
