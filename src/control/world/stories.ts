import * as z from 'zod';
import { operation, reply } from '../../core/operation/operation.ts';
import { playerOf, RULE } from '../story-player.ts';
import { StorySummary, StoryView } from './story-schema.ts';

const list = operation({
  id: 'stories.list',
  plane: 'control',
  method: 'GET',
  path: '/stories',
  summary: 'List the stories of the presenter',
  fidelity: RULE,
  responses: { 200: z.array(StorySummary) },
  run: async ({ world }) => reply(200, [...(await playerOf(world)).list()]),
});

const get = operation({
  id: 'stories.get',
  plane: 'control',
  method: 'GET',
  path: '/stories/{story}',
  summary: 'Get a story with the steps that have been played in this world',
  fidelity: RULE,
  responses: { 200: StoryView },
  run: async ({ world, params }) => reply(200, (await playerOf(world)).show(world, params.story)),
});

const play = operation({
  id: 'stories.play',
  isRecorded: false,
  plane: 'control',
  method: 'POST',
  path: '/stories/{story}/steps',
  summary: 'Go to a step of a story: forward by playing it, back by a rewind',
  fidelity: RULE,
  body: z.object({
    to: z.int().min(0).describe('The last step that is to have been played; 0 for the beginning.'),
    partnerId: z
      .string()
      .optional()
      .describe('Partner whose API key is used. Default: that of the file, or the first.'),
  }),
  responses: { 200: StoryView },
  async run({ world, params, body }) {
    return reply(200, await (await playerOf(world)).goTo(world, params.story, body.to, body.partnerId));
  },
});

const leave = operation({
  id: 'stories.leave',
  isRecorded: false,
  plane: 'control',
  method: 'DELETE',
  path: '/stories',
  summary: 'Leave the story that is being played: its records remain, clock and webhooks are restored',
  fidelity: RULE,
  responses: { 204: null },
  async run({ world }) {
    await (await playerOf(world)).leave(world);
    return reply(204, null);
  },
});

/** Operations on the stories of the presenter. */
export const storyOperations = [list, get, play, leave];
