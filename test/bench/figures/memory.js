import { startScript } from '../processes.js';
import { spread } from '../statistics.js';

const COUNT = 100_000;
const MOST = 2_000;

/** Bytes of memory that a cardholder takes among 100,000. */
export async function memory() {
  const script = startScript('servers/memory.js', { flags: ['--expose-gc'] });
  const { batches, mean } = await script.ask({ count: COUNT });
  await script.stop();
  return [
    {
      figure: `memory a cardholder, ${COUNT.toLocaleString('en')} created over the API`,
      target: `<= ${MOST.toLocaleString('en')} bytes`,
      ...spread(batches),
      median: mean,
      unit: 'bytes',
      note: 'the mean, with its token; spread over batches',
      met: mean <= MOST,
    },
  ];
}
