import type { AddCommands } from './command.ts';
import { addCompletion } from './completion.ts';
import { addControl } from './control.ts';
import { addExec } from './exec.ts';
import { addFixtures } from './fixtures.ts';
import { addOpenApi } from './openapi.ts';

/** Every command but `start` and the light ones; completion last, because it tells of all others. */
export const rest: readonly AddCommands[] = [addExec, addFixtures, addOpenApi, addControl, addCompletion];
