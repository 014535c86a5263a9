// Measures the sandbox relative to a bare server and to other mock servers. `npm run bench` prints each figure as a
// ratio to a server that ran alternately with it, so that the machine matters little, and writes the results of the day
// beside this file. `-- --quick` runs fewer rounds and writes nothing; `-- --only start,reset` selects figures, whose rows
// are replaced.
import { parseArgs } from 'node:util';
import { boot } from './figures/boot.js';
import { commands } from './figures/commands.js';
import { dashboard } from './figures/dashboard.js';
import { growth } from './figures/growth.js';
import { memory } from './figures/memory.js';
import { million } from './figures/million.js';
import { reset } from './figures/reset.js';
import { scale } from './figures/scale.js';
import { settings } from './figures/settings.js';
import { start } from './figures/start.js';
import { suites } from './figures/suites.js';
import { throughput } from './figures/throughput.js';
import { webhooks } from './figures/webhooks.js';
import { worlds } from './figures/worlds.js';
import { startScript } from './processes.js';
import { line, verdictOf, writeResults } from './table.js';

const figures = {
  throughput,
  scale,
  dashboard,
  webhooks,
  start,
  reset,
  boot,
  memory,
  million,
  worlds,
  settings,
  suites,
  commands,
  growth,
};
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const selected = values.only?.split(',') ?? Object.keys(figures);
const size = values.quick ? { rounds: 3, sliceMs: 100 } : { rounds: 11, sliceMs: 150 };

const worker = startScript('worker.js');
const rows = [];
for (const name of selected) {
  if (figures[name] === undefined)
    throw new Error(`unknown figure ${name}; choose from ${Object.keys(figures).join(', ')}`);
  for (const row of await figures[name]({ worker, isQuick: values.quick ?? false, ...size })) {
    console.log(line(row));
    rows.push(row);
  }
}
await worker.stop();
if (!values.quick) writeResults(rows, { keepOthers: values.only !== undefined });
const count = verdict => rows.filter(row => verdictOf(row) === verdict).length;
console.log(`Targets met: ${count('met')}, missed: ${count('missed')}, unsteady: ${count('unsteady')}`);
