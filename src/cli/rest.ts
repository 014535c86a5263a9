import type { AddCommands } from './command.ts';
import { addCompletion } from './completion.ts';
import { addControl } from './control.ts';
import { addDemo } from './demo.ts';
import { addDoctor } from './doctor.ts';
import { addExec } from './exec.ts';
import { addFixtures } from './fixtures.ts';
import { addOpenApi } from './openapi.ts';
import { addRun } from './run.ts';

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
