/** Where Node.js and undici keep the agent of every `fetch` of the process. */
const DISPATCHERS = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(each => Symbol.for(each));

// Loads the `fetch` of Node.js with its agent, unless the environment has replaced it. A module of its own, because a module
// that imports undici runs after undici.
void globalThis.Headers;
const own = DISPATCHERS.map(key => Reflect.get(globalThis, key));

/**
 * Gives `fetch` back the agent that it had when this module was loaded, which is before undici: undici sets its own agent
 * for every `fetch` of the process, and Node.js 20 could then send no request that states its Content-Length.
 */
export function restoreOwnAgent(): void {
  for (const [index, key] of DISPATCHERS.entries()) {
    if (Reflect.get(globalThis, key) !== own[index]) Reflect.set(globalThis, key, own[index]);
  }
}
