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
// Without await, which CommonJS does not have at the top level.
run(process.argv.slice(2)).then(async code => {
  await flushOutput();
  // Setting only process.exitCode would let unread output for a pipe keep the process alive.
  process.exit(code === 0 && isOutputIncomplete() ? FAILED : code);
});
