const PROMPT = 'press any key to continue, q to quit';
/** `q`, and what a terminal in raw mode sends for Ctrl-C and Ctrl-D. */
const QUIT_KEYS = ['q', 'Q', '\u0003', '\u0004'];

/** Waits for a key press. Resolves with false for a key that quits, or when the signal is aborted. */
export function waitForKey(signal: AbortSignal): Promise<boolean> {
  const { stdin, stderr } = process;
  if (signal.aborted) return Promise.resolve(false);
  return new Promise(resolve => {
    const finish = (goesOn: boolean) => {
      stdin.off('data', onData);
      signal.removeEventListener('abort', onAbort);
      stdin.setRawMode(false);
      stdin.pause();
      // Erase the prompt, so that it does not remain in the presentation.
      stderr.write('\r\u001b[2K');
      resolve(goesOn);
    };
    const onData = (data: Buffer) => finish(!QUIT_KEYS.includes(data.toString()));
    const onAbort = () => finish(false);
    signal.addEventListener('abort', onAbort);
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on('data', onData);
    stderr.write(PROMPT.slice(0, Math.max(0, (stderr.columns || 80) - 1)));
  });
}

/** Returns whether standard input is a terminal. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY === true;
}
