import { writeSync } from 'node:fs';
import { bypassProxyForLoopback } from './connection/proxy.ts';
import { FAILED } from './errors.ts';
import { failure, flushOutput, isOutputIncomplete, tolerateLostOutput } from './output/print.ts';
import { run } from './program.ts';

tolerateLostOutput();
bypassProxyForLoopback(process.env, process.execArgv);
// Node exits when there is nothing left to wait for, also when the command is not done.
process.exitCode = FAILED;
process.once('beforeExit', () =>
  failure('the command is not done; something that it waits for never settles'),
);
// A module of the user runs in this process, and may end it at any time.
const failUnlessDone = () => {
  if (process.exitCode !== 0) return;
  writeSync(2, 'error: the process was ended before the command was done, by a module that it has loaded\n');
  process.exitCode = FAILED;
};
process.once('exit', failUnlessDone);
// Without await, which CommonJS does not have at the top level.
run(process.argv.slice(2)).then(async code => {
  await flushOutput();
  process.off('exit', failUnlessDone);
  // Setting only process.exitCode would let unread output for a pipe keep the process alive.
  process.exit(code === 0 && isOutputIncomplete() ? FAILED : code);
});
