// Loaded into a sandbox by file-descriptors.long.test.ts. On SIGUSR2 it prints the modules that are loaded, as a line of
// JSON on standard error.
import { createRequire } from 'node:module';

const { cache } = createRequire(import.meta.url);

process.on('SIGUSR2', () => process.stderr.write(`${JSON.stringify(Object.keys(cache))}\n`));
