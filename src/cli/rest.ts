import type { AddCommands } from './command.ts';
import { addCompletion } from './commands/completion/completion.ts';
import { addDemo } from './commands/testing/demo.ts';
import { addExec } from './commands/sandbox/exec.ts';
import { addFixtures } from './commands/world/fixtures.ts';
import { addOpenApi } from './commands/testing/openapi.ts';
import { addRun } from './commands/testing/run.ts';
import { addDoctor } from './commands/doctor/doctor.ts';
import { addControl } from './from-operations/operation-commands.ts';

/** Every command but `start` and the light ones; completion last, because it tells of all others. */
export const rest: readonly AddCommands[] = [
  addExec,
  addFixtures,
  addDemo,
  addRun,
  addOpenApi,
  addDoctor,
  addControl,
  addCompletion,
];
