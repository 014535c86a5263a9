// What the bundled packages use among the globals, as the code of the sandbox imports it. esbuild injects it.
export {
  AbortController,
  AbortSignal,
  clearImmediate,
  clearInterval,
  clearTimeout,
  queueMicrotask,
  setImmediate,
  setInterval,
  setTimeout,
} from '../../core/values/builtins.ts';
