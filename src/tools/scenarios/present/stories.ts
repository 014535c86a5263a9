import { type Client, RefusedError } from '../../../client/client.ts';
import { openReceiver } from '../../../client/webhook-receiver.ts';
import { createHeaderTranslator, type Names } from '../../../core/values/names.ts';
import { onAbort } from '../../../core/values/on-abort.ts';
import {
  FIRST_STORIES,
  invalidScenario,
  readBuiltInScenario,
  readScenario,
  type Scenario,
  scenarioNames,
} from '../file/read.ts';
import type { WallClock } from '../play/stage.ts';
import { RewindError, StorySession } from './session.ts';
import { summaryOf, viewOf } from './story-view.ts';

export interface StoryServer {
  /** Returns a client of a world, whose requests without a key belong to that world, too. */
  clientOf(world: string): Client;
  /** Creates a world for a run: frozen, neither listed nor counted. Throws and rejects with the reason when it cannot. */
  createWorld(options: {
    readonly fixtures: readonly string[];
    readonly forwardTo: string;
  }): StoryWorld | Promise<StoryWorld>;
  endWorld(id: string): void;
  readonly options: { readonly names: Names };
  readonly wallClock: WallClock;
  /** Returns a text that is unique on the server. */
  newText(): string;
}

interface StoryWorld {
  readonly id: string;
  readonly ended: AbortSignal;
}

interface Run {
  readonly world: string;
  readonly session: StorySession;
}

/** Where the webhooks of a partner go, as the audience reads it. The world of a run forwards them to the inbox. */
const WEBHOOK_URL = 'https://partner.example/webhooks';

/** Plays the built-in scenarios and a partner's own as stories, each run in a world of its own. A world has one run of each story. */
export class Stories {
  readonly #server: StoryServer;
  readonly #scenarios: StoryFiles;
  readonly #featured: ReadonlySet<string>;
  /** The runs of each world, by the ids of their stories. */
  readonly #runs = new WeakMap<StoryWorld, Map<string, Run>>();
  /** The last call of each world: calls wait for each other. */
  readonly #turns = new WeakMap<StoryWorld, Promise<unknown>>();

  constructor(server: StoryServer, own: StoryFiles = new Map()) {
    this.#server = server;
    this.#featured = new Set([...own.keys(), ...FIRST_STORIES]);
    // A partner's own stories come first, and replace built-in ones of the same name.
    const builtIn = scenarioNames().filter(name => !own.has(name));
    this.#scenarios = new Map([...own, ...builtIn.map(name => [name, readBuiltInScenario(name)] as const)]);
  }

  list(world: StoryWorld) {
    return [...this.#scenarios].map(([id, scenario]) =>
      summaryOf(id, scenario, this.#runOf(world, id), this.#featured.has(id), this.#server.options.names),
    );
  }

  show(world: StoryWorld, id: string) {
    const { names } = this.#server.options;
    return viewOf(id, this.#scenario(id), this.#runOf(world, id), this.#featured.has(id), names);
  }

  /**
   * Goes to the moment after a step, forward by playing and back by a rewind; 0 begins a new run. Where the run is gone, or
   * its history was cut by others, a new one is played to that step.
   */
  goTo(world: StoryWorld, id: string, step: number) {
    return this.#inTurn(world, async () => {
      const current = this.#runOf(world, id);
      if (step > 0 && current !== null) {
        try {
          await current.session.goTo(step);
          return this.show(world, id);
        } catch (error) {
          if (!(error instanceof RewindError || error instanceof RefusedError)) throw error;
        }
      }
      const begun = await this.#begin(world, id);
      await begun.session.goTo(step);
      return this.show(world, id);
    });
  }

  #scenario(id: string): Scenario {
    const scenario = this.#scenarios.get(id);
    if (scenario === undefined) throw new Error(`no story ${id}`);
    return scenario;
  }

  #runOf(world: StoryWorld, id: string): Run | null {
    return this.#runs.get(world)?.get(id) ?? null;
  }

  async #begin(world: StoryWorld, story: string): Promise<Run> {
    const before = this.#runOf(world, story);
    if (before !== null) this.#server.endWorld(before.world);
    const scenario = this.#scenario(story);
    const { clientOf, options, wallClock, newText } = this.#server;
    const headerName = createHeaderTranslator(options.names);
    const inbox = await openReceiver({ secret: newText(), url: WEBHOOK_URL, headerName });
    try {
      const { fixtures } = scenario;
      const own = await this.#server.createWorld({ fixtures, forwardTo: inbox.ownUrl });
      const end = () => this.#server.endWorld(own.id);
      const cancelEnd = onAbort([world.ended], end);
      onAbort([own.ended], () => {
        cancelEnd();
        inbox.close();
        if (this.#runOf(world, story)?.world === own.id) this.#runs.get(world)?.delete(story);
      });
      try {
        const client = clientOf(own.id);
        const [partner] = (await client.info()).partners;
        if (partner === undefined) throw new Error('every world has a partner');
        const parts = { scenario, client, partner, inbox, wallClock, run: newText().slice(0, 6) };
        const run = { world: own.id, session: await StorySession.open(parts) };
        this.#runs.set(world, (this.#runs.get(world) ?? new Map<string, Run>()).set(story, run));
        return run;
      } catch (error) {
        end();
        throw error;
      }
    } catch (error) {
      inbox.close();
      throw error;
    }
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
