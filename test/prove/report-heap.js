// Loaded into a sandbox by the soak test. On SIGUSR2 it collects garbage and writes the heap in use, in bytes, to a
// file. Resident memory alone varies with garbage collection by a third and more.
import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  collect();
  writeFileSync(process.env.HEAP_REPORT_FILE, String(process.memoryUsage().heapUsed));
});
