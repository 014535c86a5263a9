import type { AddCommands } from './command.ts';
import { addEnv } from './env.ts';
import { addListen } from './listen.ts';
import { addTail } from './tail.ts';
import { addWait } from './wait.ts';

/** The commands that need neither a sandbox in this process nor the operation table, by their first words. */
export const light: Readonly<Record<string, AddCommands>> = {
  env: addEnv,
  wait: addWait,
  tail: addTail,
  listen: addListen,
};
