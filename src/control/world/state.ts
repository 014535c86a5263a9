import * as z from 'zod';
import { assumed, badRequest } from '../../core/operation/errors.ts';
import { contentReply, operation, reply } from '../../core/operation/operation.ts';
import { StateDocument } from '../../core/world/document-schema.ts';
import { MAIN_WORLD } from '../../core/world/world-state.ts';
import { serverOf } from '../own-server.ts';
import { stateDifferences } from './differences.ts';

const Checkpoint = z.strictObject({
  name: z.string(),
  createdAt: z.string().describe('Sandbox time at which it was saved, ISO 8601.'),
  records: z.int().describe('Number of rows in all tables.'),
});

const getState = operation({
  id: 'state.get',
  plane: 'control',
  method: 'GET',
  path: '/state',
  summary: 'Get the whole world as one document',
  fidelity: assumed('state'),
  query: z.object({
    at: z
      .string()
      .optional()
      .describe('Id of an entry of the history: the world just before it. Default: now.'),
  }),
  responses: { 200: StateDocument },
  errors: [{ status: 404, when: 'There is no entry with this id, or it has been dropped.' }],
  run: ({ world, query: { at } }) =>
    contentReply(world.current.write(at === undefined ? undefined : world.history.entry(at).before)),
});

/** Cap on a document, which is parsed as a whole. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;

const putState = operation({
  id: 'state.put',
  plane: 'control',
  method: 'PUT',
  path: '/state',
  summary: 'Load a world from a document; an inconsistent document is refused as a whole',
  fidelity: assumed('state'),
  body: z.record(z.string(), z.unknown()).describe('A document from GET /_sandbox/state.'),
  maxBodyBytes: MAX_STATE_BYTES,
  responses: { 204: null },
  errors: [{ status: 409, when: 'A rewind took the world back meanwhile.' }],
  async run({ world, body }) {
    await world.current.load(body);
    return reply(204, null);
  },
});

const saveState = operation({
  id: 'state.save',
  isRecorded: false,
  plane: 'control',
  method: 'POST',
  path: '/state/save',
  summary: 'Save the world to its state file',
  fidelity: assumed('state-file'),
  responses: { 200: z.strictObject({ file: z.string(), bytes: z.int() }) },
  async run({ world }) {
    const saved = await serverOf(world).saveState(world);
    if (saved !== null) return reply(200, { file: saved.file, bytes: saved.bytes });
    if (world.id !== MAIN_WORLD) {
      throw badRequest(
        assumed('state-file'),
        `the world "${world.id}" has no state file, which only main can have; store the response of GET /_sandbox/worlds/${world.id}/state`,
      );
    }
    const hint = 'start it with --state FILE, or store the response of GET /_sandbox/state';
    throw badRequest(assumed('state-file'), `this sandbox has no state file; ${hint}`);
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
  run: ({ world }) => reply(200, world.current.checkpoints()),
});

const saveCheckpoint = operation({
  id: 'checkpoints.save',
  plane: 'control',
  method: 'POST',
  path: '/checkpoints/{name}',
  summary: 'Save the current world as a checkpoint',
  fidelity: assumed('checkpoints'),
  responses: { 201: Checkpoint },
  run: ({ world, params }) => reply(201, world.current.saveCheckpoint(params.name)),
});

const restoreCheckpoint = operation({
  id: 'checkpoints.restore',
  plane: 'control',
  method: 'POST',
  path: '/checkpoints/{name}/restore',
  summary: 'Restore a checkpoint',
  fidelity: assumed('checkpoints'),
  responses: { 204: null },
  run({ world, params }) {
    world.current.restoreCheckpoint(params.name);
    return reply(204, null);
  },
});

const deleteCheckpoint = operation({
  id: 'checkpoints.delete',
  plane: 'control',
  method: 'DELETE',
  path: '/checkpoints/{name}',
  summary: 'Delete a checkpoint',
  fidelity: assumed('checkpoints'),
  responses: { 204: null },
  run({ world, params }) {
    world.current.deleteCheckpoint(params.name);
    return reply(204, null);
  },
});

export const stateOperations = [
  getState,
  putState,
  saveState,
  stateDifferences,
  listCheckpoints,
  saveCheckpoint,
  restoreCheckpoint,
  deleteCheckpoint,
];
