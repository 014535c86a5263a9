import type { AddCommands } from './command.ts';
import { addCompletion } from './commands/completion.ts';
import { addDemo } from './commands/demo.ts';
import { addExec } from './commands/exec.ts';
import { addFixtures } from './commands/fixtures.ts';
import { addOpenApi } from './commands/openapi.ts';
import { addRun } from './commands/run.ts';
import { addDoctor } from './doctor/doctor.ts';
import { addControl } from './from-operations/control.ts';

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
