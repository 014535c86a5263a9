// Loaded into a sandbox by file-descriptors.long.test.ts. SIGUSR2 makes it take all file descriptors that are left, and the
// next one give them back.
import { closeSync, openSync } from 'node:fs';

const held = [];

process.on('SIGUSR2', () => {
  if (held.length > 0) {
    for (const descriptor of held.splice(0)) closeSync(descriptor);
    process.stderr.write('released\n');
    return;
  }
  try {
    for (;;) held.push(openSync('/dev/null'));
  } catch {
    process.stderr.write('held\n');
  }
});
