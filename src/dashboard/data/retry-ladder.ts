import { computed } from '@preact/signals';
import { info } from './store.ts';

/** The delays before the automatic retries of a webhook (interface section 6.4), in minutes. */
const RETRY_MINUTES = [1, 5, 30, 120, 1_440] as const;
const MINUTE_MS = 60_000;

/** The delays before the automatic retries at the retry speed of this sandbox, in milliseconds. */
export const retryDelays = computed(() => {
  const speed = Number(info.data.value?.options.retrySpeed ?? 1);
  return RETRY_MINUTES.map(minutes => (minutes * MINUTE_MS) / speed);
});
