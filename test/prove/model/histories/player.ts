import { createInterface } from 'node:readline';
import { replay } from './replay.ts';
import { digestOf, openForHistory, type RecordedHistory } from './traces.ts';

// Plays histories, one a line of standard input, each in a new sandbox. The arguments are the fixtures, whose
// paths a bundle does not know. Prints how many it played, or the first that has left something else behind.
let played = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { scenario, failurePercent, digest }: RecordedHistory = JSON.parse(line);
  const sandbox = openForHistory(failurePercent, process.argv.slice(2));
  const differences = await replay(scenario, sandbox);
  const found = await digestOf(sandbox);
  sandbox.stop();
  if (differences.length > 0 || found !== digest) {
    console.log(JSON.stringify({ played, differences, found, digest, scenario }));
    process.exit(1);
  }
  played += 1;
}
console.log(`${played} on v${process.versions.node}`);
