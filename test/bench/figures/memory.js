import { startScript } from '../processes.js';
import { spread } from '../statistics.js';

const COUNT = 100_000;
const MAX_BYTES = 900;

/** Bytes of memory per cardholder, with 100,000 of them. */
export async function memory() {
  const script = startScript('servers/memory.js', { flags: ['--expose-gc'] });
  const { batches, mean } = await script.call({ count: COUNT });
  await script.stop();
  return [
    {
      figure: `memory per cardholder, ${COUNT.toLocaleString('en')} created over the API`,
      target: `<= ${MAX_BYTES.toLocaleString('en')} bytes`,
      ...spread(batches),
      median: mean,
      unit: 'bytes',
      note: 'mean, including its share token; range over batches',
      met: mean <= MAX_BYTES,
    },
  ];
}
