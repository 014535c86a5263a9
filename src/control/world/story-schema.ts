import * as z from 'zod';
import type { World } from '../../core/world/world.ts';

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
export const StorySummary = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    steps: z.int(),
    problem: z.string().nullable().describe('Why it cannot be played on this sandbox.'),
  })
  .meta({ id: 'StorySummary' });

/** A story of the presenter, and how far it has been played. */
export const StoryView = StorySummary.extend({
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

/** Plays the scenario files of a server as stories, in any of its worlds. */
export interface StoryPlayer {
  list(): readonly StorySummary[];
  /** Returns a story with the steps that were played in a world. Throws a 404 for an unknown id. */
  show(world: World, id: string): StoryView;
  /** Goes to the moment after a step, forward by playing and back by a rewind. 0 is the beginning. */
  goTo(world: World, id: string, step: number, partnerId?: string): Promise<StoryView>;
  /** Restores the clock and the webhooks of a world, if a story is being played in it. */
  leave(world: World): Promise<void>;
}
