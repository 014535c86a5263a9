import { type Client, RefusedError } from '../../../client/client.ts';
import type { StoryPlayer, StorySummary, StoryView } from '../../../control/world/story-schema.ts';
import { partnerKeys } from '../../../core/access/partners.ts';
import { assumed, badRequest, notFound } from '../../../core/operation/errors.ts';
import type { World } from '../../../core/world/world.ts';
import { readScenario, type Scenario, scenarioNames } from '../file/read.ts';
import { headerNames } from '../play/partner-names.ts';
import type { WallClock } from '../play/stage.ts';
import { RewindError } from '../play/tape.ts';
import { openInbox } from '../receiver/receiver.ts';
import type { StoryFiles } from './own-stories.ts';
import { type PartnerChange, StorySession } from './session.ts';
import { type StoryRules, summaryOf, viewOf } from './story-view.ts';

/** What the stories of a server need. */
export interface StoriesOptions extends StoryRules {
  /** Stories of a partner's own. */
  readonly own: StoryFiles;
  /** Calls a world. */
  clientOf(world: string): Client;
  readonly wallClock: WallClock;
  /** Creates a text that is unique on the server. */
  newText(): string;
}

/** The story that is being played in a world. */
interface Stage {
  readonly story: string;
  readonly partnerId: string;
  readonly session: StorySession;
}

/** Plays the built-in scenarios and a partner's own as stories. In each world one story is played at a time. */
export class Stories implements StoryPlayer {
  readonly #options: StoriesOptions;
  readonly #scenarios: StoryFiles;
  readonly #stages = new Map<World, Stage>();
  /** The last call of each world: calls wait for each other. */
  readonly #turns = new WeakMap<World, Promise<unknown>>();

  constructor(options: StoriesOptions) {
    this.#options = options;
    // A partner's own stories come first, and replace built-in ones of the same name.
    const builtIn = scenarioNames().filter(name => !options.own.has(name));
    this.#scenarios = new Map([...options.own, ...builtIn.map(name => [name, readScenario(name)] as const)]);
  }

  list(): readonly StorySummary[] {
    return [...this.#scenarios].map(([id, scenario]) => summaryOf(id, scenario, this.#options));
  }

  show(world: World, id: string): StoryView {
    const stage = this.#stages.get(world);
    const played = stage?.story === id ? stage.session.played : [];
    return viewOf(id, this.#scenario(id), played, this.#options);
  }

  goTo(world: World, id: string, step: number, partnerId?: string): Promise<StoryView> {
    return this.#inTurn(world, async () => {
      const { problem } = summaryOf(id, this.#scenario(id), this.#options);
      if (problem !== null) throw badRequest(assumed('stories'), problem);
      try {
        const { session } = await this.#stageFor(world, id, partnerId);
        await session.goTo(step, () => collectChanges(world));
      } catch (error) {
        // What others did in this world can prevent it.
        if (!(error instanceof RewindError || error instanceof RefusedError)) throw error;
        if (!(error instanceof RewindError) || step > 0) throw badRequest(assumed('stories'), error.message);
        // The story begins again, beside what is left of its last run.
        await this.#close(world);
      }
      return this.show(world, id);
    });
  }

  leave(world: World): Promise<void> {
    return this.#inTurn(world, () => this.#close(world));
  }

  #scenario(id: string): Scenario {
    const scenario = this.#scenarios.get(id);
    if (scenario === undefined) throw notFound('story', id, [...this.#scenarios.keys()]);
    return scenario;
  }

  async #stageFor(world: World, story: string, partnerId: string | undefined): Promise<Stage> {
    const scenario = this.#scenario(story);
    const partner = partnerOf(world, partnerId ?? scenario.partner);
    const current = this.#stages.get(world);
    if (current?.story === story && current.partnerId === partner.id) return current;
    await this.#close(world);
    const { clientOf, wallClock, newText, names } = this.#options;
    const inbox = await openInbox(newText(), { headerName: headerNames(names) });
    const session = await StorySession.open({
      scenario,
      client: clientOf(world.id),
      partner,
      inbox,
      wallClock,
      newRun: () => newText().slice(0, 6),
    });
    const stage = { story, partnerId: partner.id, session };
    this.#stages.set(world, stage);
    world.ended.addEventListener('abort', () => this.#stages.delete(world), { once: true });
    return stage;
  }

  async #close(world: World): Promise<void> {
    const stage = this.#stages.get(world);
    this.#stages.delete(world);
    await stage?.session.close();
  }

  #inTurn<T>(world: World, task: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(world) ?? Promise.resolve()).then(task);
    this.#turns.set(
      world,
      turn.catch(() => undefined),
    );
    return turn;
  }
}

function partnerOf(world: World, id: string | undefined) {
  const partners = partnerKeys(world.state);
  const partner = id === undefined ? partners[0] : partners.find(each => each.id === id);
  if (partner !== undefined) return partner;
  throw notFound(
    'partner',
    id ?? '',
    partners.map(each => each.id),
  );
}

function collectChanges(world: World): () => readonly PartnerChange[] {
  const changes: PartnerChange[] = [];
  const stop = world.feed.subscribeToWrites(write => changes.push(write));
  return () => {
    stop();
    return changes;
  };
}
