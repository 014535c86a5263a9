import * as z from 'zod';
import { ApiError, assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import type { OwnProcess, World } from '../../core/world/world.ts';

const ProcessView = z.strictObject({
  instance: z.string().describe('Differs for each process.'),
  pid: z.int().describe('Process id on its machine.'),
  machine: z.string().describe('Name of the machine that it runs on.'),
});

const get = operation({
  id: 'process',
  plane: 'control',
  method: 'GET',
  path: '/process',
  summary: 'Get the process of the sandbox, to tell it from others at the same address',
  fidelity: assumed('own-process'),
  responses: { 200: ProcessView },
  errors: [{ status: 409, when: 'The sandbox is part of another program.' }],
  run: ({ world }) => reply(200, view(ownProcess(world))),
});

const stop = operation({
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
    202: ProcessView.extend({
      saveError: z
        .string()
        .optional()
        .describe('Why the state is not saved. Missing where it is, and without a state file.'),
    }),
  },
  errors: [{ status: 409, when: 'The sandbox is part of another program, or another instance.' }],
  async run({ world, body: { instance } }) {
    const process = ownProcess(world);
    if (instance !== undefined && instance !== process.instance) {
      const message = `the sandbox is instance ${process.instance}, not ${instance}; it goes on`;
      throw new ApiError(409, assumed('own-process'), message);
    }
    const saveError = await world.saveState().then(
      () => undefined,
      error => messageOf(error),
    );
    process.stop();
    return reply(202, { ...view(process), ...(saveError !== undefined && { saveError }) });
  },
});

export const processOperations = [get, stop];

function ownProcess({ process }: World): OwnProcess {
  if (process !== null) return process;
  throw new ApiError(
    409,
    assumed('own-process'),
    'the sandbox is part of another program, such as exec or a test, and ends with it',
  );
}

/** The message of a refusal. Throws any other error. */
function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}

function view({ instance, pid, machine }: OwnProcess): z.input<typeof ProcessView> {
  return { instance, pid, machine };
}
