// What the planted apps share. Each app has its own client, receiver and store: only the switch and the patience of the
// tests are here, and a check of signatures for the apps whose bugs are elsewhere.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

/** Whether the bug of this name is planted in this run: `PLANTED=<name>`. Without the variable every app is sound. */
export const planted = name => process.env.PLANTED === name;

/** Repeats a check until it passes, at most 20 s. `between` runs after each failure, for example to advance a clock. */
export async function eventually(check, between = () => {}) {
  for (const end = Date.now() + 20_000; ; await sleep(20)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await between();
    }
  }
}

/** Whether a webhook has a signature of its raw body that is not older than five minutes. */
export function isGenuine(rawBody, header, secret) {
  const { t, v1 } = Object.fromEntries((header ?? '').split(',').map(part => part.split('=')));
  const expected = createHmac('sha256', secret).update(`${t}.${rawBody}`).digest('hex');
  const isEqual = v1?.length === expected.length && timingSafeEqual(Buffer.from(v1), Buffer.from(expected));
  return isEqual && Math.abs(Date.now() / 1000 - Number(t)) <= 300;
}
