import { startScript } from '../processes.js';
import { spread } from '../statistics.js';

const COUNT = 200_000;
const ROUNDS = 3;
const MAX_RATIO = 8;
const MAX_BYTES = 2_200;

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
  return [
    {
      figure: `processor time of a boot with ${people} generated cardholders, over JSON.stringify of their rows`,
      target: `<= ${MAX_RATIO}`,
      ...time,
      met: time.median <= MAX_RATIO,
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
