// Loaded into a sandbox by the soak: at SIGUSR2 it collects what is garbage, and writes down how many bytes are left.
// Resident memory alone goes up and down with the collector, by a third and more.
import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  collect();
  writeFileSync(process.env.HEAP_IS_TOLD_IN, String(process.memoryUsage().heapUsed));
});
