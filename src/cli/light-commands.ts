/** The commands that need a client and nothing else of the sandbox. They are loaded together, and load little. */
export * as env from './commands/sandbox/env.ts';
export * as stop from './commands/sandbox/stop.ts';
export * as wait from './commands/sandbox/wait.ts';
