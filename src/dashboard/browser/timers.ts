/** Returns the milliseconds of real time since the page was opened. */
export function elapsed(): number {
  return performance.now();
}

/** Runs `work` once, in `ms` milliseconds. Returns a function that cancels it. */
export function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

/** Runs `work` every `ms` milliseconds. Returns a function that stops it. */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}
