import * as z from 'zod';
import { ApiError, assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import type { World } from '../../core/world/world.ts';
import { type OwnProcess, serverOf } from '../own-server.ts';

export const stop = operation({
  id: 'stop',
  isRecorded: false,
  plane: 'control',
  method: 'POST',
  path: '/stop',
  summary: 'Stop the sandbox and end its process, as a signal does',
  fidelity: assumed('own-process'),
  body: z.object({
    instance: z.string().optional().describe('Stops only this process; default: whichever responds.'),
  }),
  responses: {
    202: z.strictObject({
      instance: z.string(),
      pid: z.int(),
      machine: z.string().describe('Name of the machine that the process runs on.'),
      saveError: z
        .string()
        .optional()
        .describe('Why the state is not saved. Missing where it is, and without a state file.'),
    }),
  },
  errors: [
    {
      status: 409,
      when: 'The sandbox is part of another program, or another instance; below a world, always.',
    },
  ],
  async run({ world, body: { instance } }) {
    const process = ownProcess(world);
    if (instance !== undefined && instance !== process.instance) {
      const message = `the sandbox is instance ${process.instance}, not ${instance}; it keeps running`;
      throw new ApiError(409, assumed('own-process'), message);
    }
    const saveError = await serverOf(world)
      .saveState(world)
      .then(
        () => undefined,
        error => messageOf(error),
      );
    process.stop();
    const { pid, machine } = process;
    return reply(202, {
      instance: process.instance,
      pid,
      machine,
      ...(saveError !== undefined && { saveError }),
    });
  },
});

function ownProcess(world: World): OwnProcess {
  const { process } = serverOf(world);
  if (process !== null && world === world.worlds.main) return process;
  const reason =
    process === null
      ? 'the sandbox is part of another program, such as exec or a test, and ends with it'
      : 'only the sandbox as a whole can be stopped; call POST /_sandbox/stop, or end the world with DELETE /_sandbox/worlds/{id}';
  throw new ApiError(409, assumed('own-process'), reason);
}

/** The message of a refusal. Throws any other error. */
function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}
