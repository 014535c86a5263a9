import * as z from 'zod';
import { assumed, badRequest } from '../../kernel/operation/errors.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { StateDocument } from '../../kernel/world/state-document.ts';
import { StateError } from '../../kernel/world/state-error.ts';

/** The largest state that is taken in, in bytes. */
const LARGEST_STATE = 256 * 1024 * 1024;

const Checkpoint = z.strictObject({
  name: z.string(),
  createdAt: z.string().describe('Sandbox time at which it was taken, ISO 8601.'),
  records: z.int().describe('How many rows it holds, in all tables.'),
});

const getState = operation({
  id: 'state.get',
  plane: 'control',
  method: 'GET',
  path: '/state',
  summary: 'The whole world as one document',
  fidelity: assumed('state'),
  responses: { 200: StateDocument },
  run: ({ host }) => reply(200, host.worlds.state),
});

const putState = operation({
  id: 'state.put',
  plane: 'control',
  method: 'PUT',
  path: '/state',
  summary: 'Go on with the world of a document; one that contradicts itself is refused whole',
  fidelity: assumed('state'),
  body: z.record(z.string(), z.unknown()).describe('As GET /_sandbox/state answers it.'),
  maxBodyBytes: LARGEST_STATE,
  responses: { 204: null },
  run({ host, body }) {
    try {
      host.worlds.load(body);
    } catch (error) {
      if (error instanceof StateError) throw badRequest(assumed('state'), `body: ${error.message}`);
      throw error;
    }
    return reply(204, null);
  },
});

const saveState = operation({
  id: 'state.save',
  plane: 'control',
  method: 'POST',
  path: '/state/save',
  summary: 'Save the world into the file that the sandbox was started with',
  fidelity: assumed('state-file'),
  responses: { 200: z.strictObject({ file: z.string(), bytes: z.int() }) },
  run({ host }) {
    const saved = host.saveState();
    if (saved !== null) return reply(200, { ...saved });
    const way = 'start it with --state FILE, or keep what GET /_sandbox/state answers';
    throw badRequest(assumed('state-file'), `this sandbox has no state file; ${way}`);
  },
});

const listCheckpoints = operation({
  id: 'checkpoints.list',
  plane: 'control',
  method: 'GET',
  path: '/checkpoints',
  summary: 'List checkpoints',
  fidelity: assumed('checkpoints'),
  responses: { 200: z.array(Checkpoint) },
  run: ({ host }) => reply(200, host.worlds.checkpoints()),
});

const saveCheckpoint = operation({
  id: 'checkpoints.save',
  plane: 'control',
  method: 'POST',
  path: '/checkpoints/{name}',
  summary: 'Keep the world as it is under a name',
  fidelity: assumed('checkpoints'),
  responses: { 201: Checkpoint },
  run: ({ host, params }) => reply(201, host.worlds.saveCheckpoint(params.name)),
});

const restoreCheckpoint = operation({
  id: 'checkpoints.restore',
  plane: 'control',
  method: 'POST',
  path: '/checkpoints/{name}/restore',
  summary: 'Go back to a checkpoint',
  fidelity: assumed('checkpoints'),
  responses: { 204: null },
  run({ host, params }) {
    host.worlds.restoreCheckpoint(params.name);
    return reply(204, null);
  },
});

const deleteCheckpoint = operation({
  id: 'checkpoints.delete',
  plane: 'control',
  method: 'DELETE',
  path: '/checkpoints/{name}',
  summary: 'Forget a checkpoint',
  fidelity: assumed('checkpoints'),
  responses: { 204: null },
  run({ host, params }) {
    host.worlds.deleteCheckpoint(params.name);
    return reply(204, null);
  },
});

/** Control operations that save, load and copy the whole world. */
export const stateOperations = [
  getState,
  putState,
  saveState,
  listCheckpoints,
  saveCheckpoint,
  restoreCheckpoint,
  deleteCheckpoint,
];
