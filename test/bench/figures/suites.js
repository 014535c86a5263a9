import { startScript } from '../processes.js';
import { spread } from '../statistics.js';

const CALLS = 1_000;
const ROWS = [
  { name: 'inProcess', label: 'in process, over a plain function', max: 3 },
  { name: 'behindMsw', label: 'behind MSW, over a bare handler', max: 1.3 },
  { name: 'overHttp', label: 'over HTTP, over a bare server', max: 1.7 },
];

/** Processor time of the calls of a suite in the three ways of testing, relative to what a suite would use instead. */
export async function suites({ rounds }) {
  const script = startScript('servers/suites.js');
  const results = await script.call({ count: CALLS, rounds });
  await script.stop();
  return ROWS.map(({ name, label, max }) => {
    const ratio = spread(results[name]);
    return {
      figure: `processor time of ${CALLS.toLocaleString('en')} calls of a suite ${label}`,
      target: `<= ${max}`,
      ...ratio,
      met: ratio.median <= max,
    };
  });
}
