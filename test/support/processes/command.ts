import { beforeAll, vi } from 'vitest';
import { flushed } from '../../../src/cli/output/print.ts';
import { run } from '../../../src/cli/program.ts';
import { type Finished, type SandboxProcess, startCli, type Variables } from './process.ts';

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line to its end in this process, which takes a tenth of what `runCli` takes. Not for commands that
 * start a server or another program, hear signals or look at their terminal. `test/cli/processes.test.ts` shows that a
 * process of its own says the same.
 */
export function runHere(args: readonly string[], variables: Variables = {}): Promise<Finished> {
  // One after the other: they share the environment and the output of this process.
  const running = last.then(() => runNow(args, variables));
  last = running.catch(() => undefined);
  return running;
}

async function runNow(args: readonly string[], variables: Variables): Promise<Finished> {
  const [stdout, stderr] = [intercepted(process.stdout), intercepted(process.stderr)];
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

/** Keeps what is written to a stream from it. */
function intercepted(stream: NodeJS.WriteStream) {
  let text = '';
  const write = vi.spyOn(stream, 'write').mockImplementation((chunk, ...rest) => {
    text += chunk;
    for (const each of rest) if (typeof each === 'function') each();
    return true;
  });
  return { text: () => text, restore: () => write.mockRestore() };
}

/** Runs commands against one sandbox that serves all tests of a file; it starts with a frozen clock. */
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
    /** The sandbox itself. */
    running,
    /** Runs a command that finds the sandbox by its variable. */
    run: (...words: string[]) => runHere(words, { CARD_SANDBOX_URL: running().listening.url }),
    /** Runs a command with `--json`, which must succeed, and parses what it prints. */
    async json(...words: string[]) {
      const finished = await runHere([...words, '--json'], { CARD_SANDBOX_URL: running().listening.url });
      if (finished.code !== 0) throw new Error(`${words.join(' ')}: ${finished.stderr}`);
      return JSON.parse(finished.stdout);
    },
  };
}
