import { startScript } from '../processes.js';
import { spread } from '../statistics.js';

const COUNT = 200_000;
const ROUNDS = 3;
const MAX_RATIO = 8;
const MAX_BYTES = 2_200;
/** Processor time per 100,000 cardholders, in milliseconds. */
const MAX_BOOT_MS = 2_500;
const MAX_RESET_MS = 1_200;

/** Processor time and resident memory of a boot from a fixture that generates 200,000 cardholders. */
export async function boot() {
  const results = [];
  for (let round = 0; round < ROUNDS; round++) {
    const script = startScript('servers/boot.js');
    results.push(await script.call({ count: COUNT }));
    await script.stop();
  }
  const people = COUNT.toLocaleString('en');
  const time = spread(results.map(({ ratio }) => ratio));
  const memory = spread(results.map(({ bytes }) => bytes));
  const bootMs = spread(results.map(({ bootMs }) => bootMs));
  const resetMs = spread(results.map(({ resetMs }) => resetMs));
  return [
    {
      figure: `processor time of a boot with ${people} generated cardholders, over JSON.stringify of their rows`,
      target: `<= ${MAX_RATIO}`,
      ...time,
      met: time.median <= MAX_RATIO,
    },
    {
      figure: 'processor time of a boot, per 100,000 generated cardholders',
      target: `<= ${MAX_BOOT_MS.toLocaleString('en')} ms`,
      ...bootMs,
      unit: 'ms',
      met: bootMs.median <= MAX_BOOT_MS,
    },
    {
      figure: 'processor time of a reset, per 100,000 generated cardholders',
      target: `<= ${MAX_RESET_MS.toLocaleString('en')} ms`,
      ...resetMs,
      unit: 'ms',
      met: resetMs.median <= MAX_RESET_MS,
    },
    {
      figure: `resident memory per cardholder after a boot with ${people}`,
      target: `<= ${MAX_BYTES.toLocaleString('en')} bytes`,
      ...memory,
      unit: 'bytes',
      met: memory.median <= MAX_BYTES,
    },
  ];
}
