import { flushed, tolerateLostOutput } from './output/print.ts';
import { run } from './program.ts';

tolerateLostOutput();
const code = await run(process.argv.slice(2));
await flushed();
// Not just an exit code: lines for a pipe that nobody reads would keep the process alive for ever.
process.exit(code);
