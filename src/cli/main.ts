import { bypassProxyForLoopback } from './connection/proxy.ts';
import { flushOutput, tolerateLostOutput } from './output/print.ts';
import { run } from './program.ts';

tolerateLostOutput();
bypassProxyForLoopback(process.env, process.execArgv);
// Without await, which CommonJS does not have at the top level.
run(process.argv.slice(2)).then(async code => {
  await flushOutput();
  // Setting only process.exitCode would let unread output for a pipe keep the process alive.
  process.exit(code);
});
