const GO_ON = 'any key goes on, q ends';
/** What a terminal in raw mode sends for Ctrl-C and Ctrl-D. */
const ENDING = ['q', 'Q', '\u0003', '\u0004'];

/** Waits for a key of the terminal, and resolves with whether to go on. */
export function keyPressed(signal: AbortSignal): Promise<boolean> {
  const { stdin, stderr } = process;
  if (signal.aborted) return Promise.resolve(false);
  return new Promise(resolve => {
    const done = (goesOn: boolean) => {
      stdin.off('data', heard);
      signal.removeEventListener('abort', ended);
      stdin.setRawMode(false);
      stdin.pause();
      // The line vanishes, so that what is presented stays without it.
      stderr.write('\r\u001b[2K');
      resolve(goesOn);
    };
    const heard = (data: Buffer) => done(!ENDING.includes(data.toString()));
    const ended = () => done(false);
    signal.addEventListener('abort', ended);
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on('data', heard);
    stderr.write(GO_ON.slice(0, Math.max(0, (stderr.columns || 80) - 1)));
  });
}

/** Whether there is a terminal that keys could come from. */
export function hasKeys(): boolean {
  return process.stdin.isTTY === true;
}
