import { performance as nodePerformance } from 'node:perf_hooks';
import * as timers from 'node:timers';
import * as timersPromises from 'node:timers/promises';
import { transferableAbortController } from 'node:util';

// What Node.js has, as it was when the package was loaded. Libraries of fake timers replace it in the modules of Node.js
// as well as among the globals, and DOM environments replace globals with classes that Node.js does not accept.

export const setTimeout = timers.setTimeout;
export const clearTimeout = timers.clearTimeout;
export const setInterval = timers.setInterval;
export const clearInterval = timers.clearInterval;
export const setImmediate = timers.setImmediate;
/** @public Bundled libraries use it. */
export const clearImmediate = timers.clearImmediate;
export const nextTick = process.nextTick.bind(process);

export const sleep = timersPromises.setTimeout;
export const nextTurn = timersPromises.setImmediate;

/** Calls a task in a microtask. The task must not throw. */
export function queueMicrotask(task: () => void): void {
  void Promise.resolve().then(task);
}

export const performance = {
  now: nodePerformance.now.bind(nodePerformance),
  eventLoopUtilization: nodePerformance.eventLoopUtilization.bind(nodePerformance),
};

/** Returns wall time in milliseconds since 1970, also if `Date` was faked before the package was loaded. */
export const wallTime = isOfTheEngine(Date.now)
  ? Date.now
  : () => Math.floor(nodePerformance.timeOrigin + performance.now());

/**
 * Returns by how many milliseconds the time that the code around the sandbox sees differs from wall time, because it has
 * faked `Date`. For what that code compares with its own time.
 */
export function fakedBy(): number {
  return isOfTheEngine(globalThis.Date.now) ? 0 : globalThis.Date.now() - wallTime();
}

function isOfTheEngine(code: () => unknown): boolean {
  return /\[native code\]/.test(Function.prototype.toString.call(code));
}

// No module of Node.js exports these classes.
const controller = transferableAbortController();
// A constructor property has the type Function.
export const AbortController = controller.constructor as typeof globalThis.AbortController;
export type AbortController = globalThis.AbortController;
export const AbortSignal = controller.signal.constructor as typeof globalThis.AbortSignal;
export type AbortSignal = globalThis.AbortSignal;

/** Throws an error if timers were faked before the package was loaded. */
export function requireOwnTimers(): void {
  if (!isFake(setTimeout) && !isFake(setImmediate)) return;
  throw new Error(
    'timers were faked before card-sandbox was loaded, so that its own would never fire; import it first, and fake ' +
      'timers after that',
  );
}

/** Throws an error if what the sockets of Node.js wait for is faked now, and with `fetch` also what its `fetch` waits for. */
export function requireNetwork(uses: 'sockets' | 'fetch'): void {
  const name = isFake(process.nextTick)
    ? 'nextTick'
    : uses === 'fetch' && isFake(globalThis.queueMicrotask)
      ? 'queueMicrotask'
      : null;
  if (name === null) return;
  throw new Error(
    `${name} is faked, and the ${uses} of Node.js would wait for it without end; name what to fake without it, such as ` +
      "toFake: ['Date', 'setTimeout', 'setInterval']",
  );
}

/** Whether a library of fake timers has replaced a function: it has added its clock, or it is a mock. */
function isFake(code: object): boolean {
  return 'clock' in code || '_isMockFunction' in code;
}
