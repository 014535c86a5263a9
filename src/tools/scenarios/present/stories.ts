import { type Client, RefusedError } from '../../../client/client.ts';
import { openReceiver } from '../../../client/webhook-receiver.ts';
import { createHeaderTranslator } from '../../../core/values/names.ts';
import { invalidScenario, readScenario, type Scenario, scenarioNames } from '../file/read.ts';
import { RewindError } from '../play/play.ts';
import type { WallClock } from '../play/stage.ts';
import { type PartnerChange, StorySession } from './session.ts';
import { type StoryRules, summaryOf, viewOf } from './story-view.ts';

/** A server whose stories are played. */
export interface StoryServer {
  /** Calls the server. */
  readonly client: Client;
  readonly options: StoryRules;
  readonly wallClock: WallClock;
  /** Returns a text that is unique on the server. */
  newText(): string;
}

/** A world as its stories see it. */
interface StoryWorld {
  readonly id: string;
  /** Aborted when the world ends. */
  readonly ended: AbortSignal;
  readonly feed: { subscribeToWrites(listener: (write: PartnerChange) => void): () => void };
}

/** Finds a partner of a world, or the first one. */
type FindPartner = (id: string | undefined) => { readonly id: string; readonly apiKey: string };

/** The story that is being played in a world. */
interface Stage {
  readonly story: string;
  readonly partnerId: string;
  readonly session: StorySession;
}

/** Plays the built-in scenarios and a partner's own as stories. In each world one story is played at a time. */
export class Stories {
  readonly #server: StoryServer;
  readonly #scenarios: StoryFiles;
  readonly #stages = new Map<StoryWorld, Stage>();
  /** The last call of each world: calls wait for each other. */
  readonly #turns = new WeakMap<StoryWorld, Promise<unknown>>();

  /** `own` has the stories of the partner. */
  constructor(server: StoryServer, own: StoryFiles = new Map()) {
    this.#server = server;
    // A partner's own stories come first, and replace built-in ones of the same name.
    const builtIn = scenarioNames().filter(name => !own.has(name));
    this.#scenarios = new Map([...own, ...builtIn.map(name => [name, readScenario(name)] as const)]);
  }

  list() {
    return [...this.#scenarios].map(([id, scenario]) => summaryOf(id, scenario, this.#server.options));
  }

  /** Returns a story with the steps that were played in a world. */
  show(world: StoryWorld, id: string) {
    const stage = this.#stages.get(world);
    const played = stage?.story === id ? stage.session.played : [];
    return viewOf(id, this.#scenario(id), played, this.#server.options);
  }

  /**
   * Goes to the moment after a step, forward by playing and back by a rewind; 0 is the beginning. Resolves with the
   * reason, as a text, when what others did in the world prevents it.
   */
  goTo(world: StoryWorld, id: string, step: number, partnerOf: FindPartner) {
    return this.#inTurn(world, async () => {
      try {
        const { session } = await this.#stageFor(world, id, partnerOf);
        await session.goTo(step, () => collectChanges(world));
      } catch (error) {
        if (!(error instanceof RewindError || error instanceof RefusedError)) throw error;
        if (!(error instanceof RewindError) || step > 0) return error.message;
        // The story begins again, beside what is left of its last run.
        await this.#close(world);
      }
      return this.show(world, id);
    });
  }

  /** Restores the clock and the webhooks of a world, if a story is being played in it. */
  leave(world: StoryWorld): Promise<void> {
    return this.#inTurn(world, () => this.#close(world));
  }

  #scenario(id: string): Scenario {
    const scenario = this.#scenarios.get(id);
    if (scenario === undefined) throw new Error(`no story ${id}`);
    return scenario;
  }

  async #stageFor(world: StoryWorld, story: string, partnerOf: FindPartner): Promise<Stage> {
    const scenario = this.#scenario(story);
    const partner = partnerOf(scenario.partner);
    const current = this.#stages.get(world);
    if (current?.story === story && current.partnerId === partner.id) return current;
    await this.#close(world);
    const { client, options, wallClock, newText } = this.#server;
    const inbox = await openReceiver({
      secret: newText(),
      headerName: createHeaderTranslator(options.names),
    });
    const session = await StorySession.open({
      scenario,
      client: client.inWorld(world.id),
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

  async #close(world: StoryWorld): Promise<void> {
    const stage = this.#stages.get(world);
    this.#stages.delete(world);
    await stage?.session.close();
  }

  #inTurn<T>(world: StoryWorld, task: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(world) ?? Promise.resolve()).then(task);
    this.#turns.set(
      world,
      turn.catch(() => undefined),
    );
    return turn;
  }
}

function collectChanges(world: StoryWorld): () => readonly PartnerChange[] {
  const changes: PartnerChange[] = [];
  const stop = world.feed.subscribeToWrites(write => changes.push(write));
  return () => {
    stop();
    return changes;
  };
}

/** Scenarios by the id under which the presenter plays them. */
export type StoryFiles = ReadonlyMap<string, Scenario>;

/** The id of the story in a file: its name without folder and extension. */
export function storyId(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
}

/** Reads the scenario files of a partner. Throws a FixtureError for an invalid file, and for two of the same name. */
export function readOwnStories(files: readonly string[]): StoryFiles {
  const stories = new Map<string, Scenario>();
  for (const file of files) {
    const id = storyId(file);
    const other = stories.get(id);
    if (other !== undefined) {
      throw invalidScenario([
        `${file}: has the name of ${other.file}, which is its link; rename one of them`,
      ]);
    }
    stories.set(id, readScenario(file));
  }
  return stories;
}
