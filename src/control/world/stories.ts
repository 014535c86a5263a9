import * as z from 'zod';
import { partnerKeys } from '../../core/access/partners.ts';
import { assumed, badRequest, notFound } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import type { StoryPlayer, World } from '../../core/world/world.ts';

const RULE = assumed('stories');

const Member = z.strictObject({ name: z.string(), value: z.string() });

const StoryScene = z.union([
  z.strictObject({
    kind: z.literal('request'),
    plane: z.enum(['partner', 'control']),
    method: z.string(),
    path: z.string(),
    headers: z.array(Member),
    members: z.array(Member),
    times: z.int(),
  }),
  z.strictObject({
    kind: z.literal('response'),
    status: z.int(),
    statusText: z.string(),
    headers: z.array(Member),
    members: z.array(Member).describe('Those that the step expects, or those of the error.'),
    rule: z.string().nullable().describe('The rule behind a refusal.'),
  }),
  z.strictObject({
    kind: z.literal('webhook'),
    eventType: z.string(),
    headers: z.array(Member),
    isSigned: z.boolean(),
    attempts: z.int(),
    responseStatus: z.int(),
    status: z.string().nullable(),
    members: z.array(Member),
  }),
  z.strictObject({ kind: z.literal('clock'), by: z.string(), now: z.string() }),
  z.strictObject({ kind: z.literal('waited'), duration: z.string() }),
  z.strictObject({ kind: z.literal('respond'), status: z.int() }),
]);

const StoryChange = z.strictObject({
  kind: z.string(),
  id: z.string(),
  action: z.enum(['created', 'updated', 'deleted']),
  members: z.array(z.strictObject({ name: z.string(), before: z.string(), after: z.string() })),
});

const PlayedStep = z.strictObject({
  status: z.enum(['passed', 'failed', 'skipped']),
  reason: z.string().nullable().describe('Why it was skipped.'),
  differences: z.array(z.string()),
  scenes: z.array(StoryScene).describe('What happened in it, in order. Secrets are masked.'),
  changes: z.array(StoryChange).describe('The records that it changed.'),
  now: z.string().describe('Sandbox time after it, ISO 8601.'),
});

/** A story of the presenter, without its steps. */
const StorySummary = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    steps: z.int(),
    problem: z.string().nullable().describe('Why it cannot be played on this sandbox.'),
  })
  .meta({ id: 'StorySummary' });

/** A story of the presenter, and how far it has been played. */
const StoryView = StorySummary.extend({
  steps: z.array(
    z.strictObject({
      heading: z.string(),
      note: z.string().nullable(),
      speakerNotes: z.string().nullable(),
    }),
  ),
  played: z.array(PlayedStep),
}).meta({ id: 'Story' });

/** A story of the presenter, without its steps. */
export type StorySummary = z.output<typeof StorySummary>;
/** A story of the presenter, and how far it has been played. */
export type StoryView = z.output<typeof StoryView>;
/** What happened in a step. */
export type StoryScene = z.output<typeof StoryScene>;
/** A record that a step changed. */
export type StoryChange = z.output<typeof StoryChange>;

const list = operation({
  id: 'stories.list',
  plane: 'control',
  method: 'GET',
  path: '/stories',
  summary: 'List the stories of the presenter',
  fidelity: RULE,
  responses: { 200: z.array(StorySummary) },
  run: async ({ world }) => reply(200, z.array(StorySummary).parse((await playerOf(world)).list())),
});

const get = operation({
  id: 'stories.get',
  plane: 'control',
  method: 'GET',
  path: '/stories/{story}',
  summary: 'Get a story with the steps that have been played in this world',
  fidelity: RULE,
  responses: { 200: StoryView },
  async run({ world, params }) {
    const player = await playerOf(world);
    return reply(200, StoryView.parse(player.show(world, storyIn(player, params.story).id)));
  },
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
    const player = await playerOf(world);
    const { id, problem } = storyIn(player, params.story);
    if (problem !== null) throw badRequest(RULE, problem);
    const partnerOf = (partnerId: string | undefined) => findPartner(world, body.partnerId ?? partnerId);
    const view = await player.goTo(world, id, body.to, partnerOf);
    if (typeof view === 'string') throw badRequest(RULE, view);
    return reply(200, StoryView.parse(view));
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

export const storyOperations = [list, get, play, leave];

/** Returns what plays the stories of a server. Throws a 400 where none does. */
function playerOf({ stories }: World): Promise<StoryPlayer> {
  if (stories !== undefined) return stories();
  throw badRequest(RULE, 'a sandbox without a server plays no stories; start one with card-sandbox start');
}

/** Throws a 404 for an unknown id. */
function storyIn(player: StoryPlayer, id: string) {
  const all = player.list();
  const story = all.find(each => each.id === id);
  if (story !== undefined) return story;
  const ids = all.map(each => each.id);
  throw notFound('story', id, ids);
}

/** Returns a partner by its id, or the first one. Throws a 404 for an unknown id. */
function findPartner({ state }: World, id: string | undefined) {
  const partners = partnerKeys(state);
  const partner = id === undefined ? partners[0] : partners.find(each => each.id === id);
  if (partner !== undefined) return partner;
  const ids = partners.map(each => each.id);
  throw notFound('partner', id ?? '', ids);
}
