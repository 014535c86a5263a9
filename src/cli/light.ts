import type { AddCommands } from './command.ts';
import { addEnv } from './commands/sandbox/env.ts';
import { addListen } from './commands/testing/listen.ts';
import { addTail } from './commands/observe/tail.ts';
import { addWait } from './commands/sandbox/wait.ts';

/** The commands that need neither a sandbox in this process nor the operation table, by their first words. */
export const light: Readonly<Record<string, AddCommands>> = {
  env: addEnv,
  wait: addWait,
  tail: addTail,
  listen: addListen,
};
