import * as z from 'zod';
import { assumed, badRequest, notFound } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import type { World } from '../../core/world/world.ts';
import { type StoryPlayer, serverOf } from '../own-server.ts';

const RULE = assumed('stories');

const Member = z.strictObject({ name: z.string(), value: z.string() });

/** The parties of a story, in the order in which they are shown. */
const Party = z.enum(['person', 'phone', 'bank', 'partner', 'service', 'provider', 'shop', 'stranger']);

const shown = {
  members: z.array(Member).describe('Headers and members that the step is about.'),
  left: z.int().describe('How many other members there are.'),
  headers: z.array(Member).describe('All headers.'),
  body: z.string().nullable().describe('The whole body, as indented JSON; null when there is none.'),
};

const StoryScene = z.union([
  z.strictObject({
    kind: z.literal('request'),
    plane: z.enum(['partner', 'control']),
    method: z.string(),
    path: z.string(),
    ...shown,
    times: z.int(),
    sent: z
      .strictObject({ headers: z.array(Member), body: z.string().nullable() })
      .describe('What was sent, keys and tokens included, to send it again.'),
  }),
  z.strictObject({
    kind: z.literal('response'),
    status: z.int(),
    statusText: z.string(),
    ...shown,
    rule: z.string().nullable().describe('The rule behind a refusal.'),
    page: z.string().nullable().describe('URL of the card page that it opens, which opens once.'),
  }),
  z.strictObject({
    kind: z.literal('webhook'),
    eventType: z.string(),
    ...shown,
    isSigned: z.boolean(),
    attempts: z.int(),
    responseStatus: z.int(),
    status: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('clock'), by: z.string(), now: z.string() }),
  z.strictObject({ kind: z.literal('respond'), status: z.int() }),
]);

const StoryPerson = z.strictObject({
  name: z.string(),
  facts: z.array(
    z.strictObject({
      name: z.string(),
      value: z.string(),
      tone: z.enum(['good', 'info', 'warn', 'bad', 'quiet']).nullable(),
      isChanged: z.boolean().describe('Whether the step changed it.'),
      before: z.string().nullable().describe('What it was before the step; null if it is new or unchanged.'),
    }),
  ),
});

const PlayedStep = z.strictObject({
  status: z.enum(['passed', 'failed', 'skipped']),
  reason: z.string().nullable().describe('Why it was skipped.'),
  differences: z.array(z.string()),
  isRefused: z.boolean().describe('Whether the receiver of its message refused it.'),
  scenes: z.array(StoryScene).describe('What happened in it, in order. Secrets are masked, but in `sent`.'),
  people: z.array(StoryPerson).describe('Who the story is about, after it.'),
  now: z.string().describe('Sandbox time after it, ISO 8601.'),
});

/** A story of the presenter, without its steps. */
const StorySummary = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    isFeatured: z.boolean().describe('Whether the presenter lists it with the first ones.'),
    steps: z.int(),
    run: z.string().nullable().describe('Id of the world in which it is being played; null when it is not.'),
    step: z.int().describe('The last step that has been played in it; 0 for none.'),
  })
  .meta({ id: 'StorySummary' });

const StoryView = StorySummary.extend({
  takeaway: z.string().nullable().describe('One sentence to remember, shown after the last step.'),
  parties: z.array(z.strictObject({ id: Party, name: z.string() })).describe('Those that take part.'),
  steps: z.array(
    z.strictObject({
      chapter: z.string().nullable().describe('Title of the chapter that begins with it.'),
      heading: z.string(),
      note: z.string().nullable(),
      speakerNotes: z.string().nullable(),
      message: z
        .strictObject({ from: Party, to: Party })
        .nullable()
        .describe('Which party sends something to which one.'),
    }),
  ),
  played: z.array(PlayedStep),
}).meta({ id: 'Story' });

export type StorySummary = z.output<typeof StorySummary>;
export type StoryView = z.output<typeof StoryView>;
export type StoryScene = z.output<typeof StoryScene>;

const list = operation({
  id: 'stories.list',
  plane: 'control',
  method: 'GET',
  path: '/stories',
  summary: 'List the stories of the presenter',
  fidelity: RULE,
  responses: { 200: z.array(StorySummary) },
  run: async ({ world }) => reply(200, z.array(StorySummary).parse((await playerOf(world)).list(world))),
});

const get = operation({
  id: 'stories.get',
  plane: 'control',
  method: 'GET',
  path: '/stories/{story}',
  summary: 'Get a story with the steps that have been played in its run from this world',
  fidelity: RULE,
  responses: { 200: StoryView },
  async run({ world, params }) {
    const player = await playerOf(world);
    return reply(200, playedFirst(player.show(world, idIn(player, world, params.story))));
  },
});

const play = operation({
  id: 'stories.play',
  isRecorded: false,
  plane: 'control',
  method: 'POST',
  path: '/stories/{story}/steps',
  summary:
    'Go to a step of a story, which plays in a world of its own: forward by playing it, back by a rewind',
  fidelity: RULE,
  body: z.object({
    to: z.int().min(0).describe('The last step that is to have been played; 0 begins a new run.'),
  }),
  responses: { 200: StoryView },
  async run({ world, params, body }) {
    const player = await playerOf(world);
    const id = idIn(player, world, params.story);
    return reply(200, playedFirst(await player.goTo(world, id, body.to)));
  },
});

export const storyOperations = [list, get, play];

/** Returns what plays the stories of a server. Throws a 400 where none does. */
function playerOf(world: World): Promise<StoryPlayer> {
  const { stories } = serverOf(world);
  if (stories !== undefined) return stories();
  throw badRequest(RULE, 'this sandbox plays no stories; one of card-sandbox start does');
}

/** Validates a story. Of a response that is cut, as for an agent, the steps that were played matter more than the others. */
function playedFirst(view: unknown): StoryView {
  const { steps, ...others } = StoryView.parse(view);
  return { ...others, steps };
}

/** Returns the id of a story. Throws a 404 for an unknown one. */
function idIn(player: StoryPlayer, world: World, id: string): string {
  const ids = player.list(world).map(each => each.id);
  if (ids.includes(id)) return id;
  throw notFound('story', id, ids);
}
