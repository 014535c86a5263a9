const PROMPT = 'press any key to continue, b to go back, q to quit';
/** `q`, and what a terminal in raw mode sends for Ctrl-C and Ctrl-D. */
const QUIT_KEYS = ['q', 'Q', '\u0003', '\u0004'];

/** `b`, and what a terminal in raw mode sends for Backspace, the left arrow and Page up. */
const BACK_KEYS = ['b', 'B', '\u007f', '\b', '\u001b[D', '\u001bOD', '\u001b[5~'];

/** What a key asks for. */
export type KeyMeaning = 'next' | 'back' | 'quit';

/** Waits for a key press. Resolves with `quit` when the signal is aborted. */
export function waitForKey(signal: AbortSignal): Promise<KeyMeaning> {
  const { stdin, stderr } = process;
  if (signal.aborted) return Promise.resolve('quit');
  return new Promise(resolve => {
    const finish = (meaning: KeyMeaning) => {
      stdin.off('data', onData);
      signal.removeEventListener('abort', onAbort);
      stdin.setRawMode(false);
      stdin.pause();
      // Erase the prompt, so that it does not remain in the presentation.
      stderr.write('\r\u001b[2K');
      resolve(meaning);
    };
    const onData = (data: Buffer) => finish(meaningOf(data.toString()));
    const onAbort = () => finish('quit');
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

function meaningOf(key: string): KeyMeaning {
  if (QUIT_KEYS.includes(key)) return 'quit';
  return BACK_KEYS.includes(key) ? 'back' : 'next';
}
