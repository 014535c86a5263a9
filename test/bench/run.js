// How fast is the sandbox, beside a bare server and beside others of its kind? `npm run bench` prints each figure as a
// ratio to something that ran in turns with it, so that machines matter little, and writes the table of
// docs/performance.md. `-- --quick` takes fewer rounds and writes nothing; `-- --only start,reset` leaves the rest out.
import { parseArgs } from 'node:util';
import { memory } from './figures/memory.js';
import { reset } from './figures/reset.js';
import { scale } from './figures/scale.js';
import { start } from './figures/start.js';
import { throughput } from './figures/throughput.js';
import { webhooks } from './figures/webhooks.js';
import { startScript } from './processes.js';
import { line, writeDocument } from './table.js';

const figures = { throughput, scale, webhooks, start, reset, memory };
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const wanted = values.only?.split(',') ?? Object.keys(figures);
const size = values.quick ? { rounds: 3, sliceMs: 100 } : { rounds: 11, sliceMs: 150 };

const worker = startScript('worker.js');
const rows = [];
for (const name of wanted) {
  if (figures[name] === undefined) throw new Error(`no figure ${name}; there are ${Object.keys(figures)}`);
  for (const row of await figures[name]({ worker, ...size })) {
    console.log(line(row));
    rows.push(row);
  }
}
await worker.stop();
const isWhole = !values.quick && values.only === undefined;
if (isWhole) writeDocument(rows, size);
const missed = rows.filter(({ met }) => met === false).length;
console.log(missed === 0 ? 'every target is met' : `${missed} targets are missed`);
