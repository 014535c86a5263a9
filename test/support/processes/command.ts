import { beforeAll, vi } from 'vitest';
import { flushed } from '../../../src/cli/output/output.ts';
import { run } from '../../../src/cli/program.ts';
import { type Finished, type SandboxProcess, startCli, type Variables } from './process.ts';

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line in this process, to its end, in a tenth of the time of `runCli`. Not for commands that start a
 * server or another program, handle signals or use the terminal. `test/cli/server/processes.test.ts` shows that a
 * separate process prints the same.
 */
export function runHere(args: readonly string[], variables: Variables = {}): Promise<Finished> {
  // One at a time, because runs share the environment and the output of this process.
  const running = last.then(() => runNow(args, variables));
  last = running.catch(() => undefined);
  return running;
}

async function runNow(args: readonly string[], variables: Variables): Promise<Finished> {
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    const code = await run(args);
    await flushed();
    return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    vi.unstubAllEnvs();
    stdout.restore();
    stderr.restore();
  }
}

/** Captures writes to a stream instead of passing them on. */
function capture(stream: NodeJS.WriteStream) {
  let text = '';
  const write = vi.spyOn(stream, 'write').mockImplementation((chunk, ...rest) => {
    text += chunk;
    for (const each of rest) if (typeof each === 'function') each();
    return true;
  });
  return { text: () => text, restore: () => write.mockRestore() };
}

/** Starts one sandbox with a frozen clock for all tests of a file, and runs commands against it. */
export function sharedSandbox(args: readonly string[] = []) {
  let sandbox: SandboxProcess | null = null;
  beforeAll(async () => {
    let end = async () => {};
    const frozen = ['--clock', '2026-03-15T10:00:00Z', '--freeze'];
    sandbox = await startCli([...frozen, ...args], {}, stop => {
      end = stop;
    });
    return () => end();
  });
  const running = () => {
    if (sandbox === null) throw new Error('the sandbox of this file has not started');
    return sandbox;
  };
  return {
    /** The sandbox process. */
    running,
    /** Runs a command that finds the sandbox by the environment variable. */
    run: (...args: string[]) => runHere(args, { CARD_SANDBOX_URL: running().listening.url }),
    /** Runs a command with `--json` and returns its parsed output. Throws when it fails. */
    async json(...args: string[]) {
      const finished = await runHere([...args, '--json'], { CARD_SANDBOX_URL: running().listening.url });
      if (finished.code !== 0) throw new Error(`${args.join(' ')}: ${finished.stderr}`);
      return JSON.parse(finished.stdout);
    },
  };
}
