import type { Client } from '../../../client/client.ts';
import type { WebhookReceiver } from '../../../client/webhook-receiver.ts';
import type { Scenario } from '../file/read.ts';
import { Player, type PlayerMark } from '../play/player.ts';
import type { WallClock } from '../play/stage.ts';
import type { Scene } from '../play/watcher.ts';
import { directWebhooks, usesWebhooks } from '../play/webhooks.ts';
import type { StepResult } from '../report/report.ts';
import { comparePeople, type KnownPeople, PeopleReader, type ShownPerson } from './people.ts';

export interface PlayedStep {
  readonly result: StepResult;
  readonly scenes: readonly Scene[];
  readonly people: readonly ShownPerson[];
  readonly now: string;
}

export interface SessionParts {
  readonly scenario: Scenario;
  readonly client: Client;
  readonly partner: { readonly id: string; readonly name: string; readonly apiKey: string };
  readonly inbox: WebhookReceiver;
  readonly wallClock: WallClock;
  readonly run: string;
}

interface Mark {
  /** The newest entry of the world's history; null when it was empty. */
  readonly entry: string | null;
  readonly player: PlayerMark;
  readonly people: KnownPeople;
  readonly arrivals: number;
  readonly respond: number;
}

/** The history keeps no more entries. */
const MAX_ENTRIES = 1_000;

/** The history of the world no longer has the moment to go back to. */
export class RewindError extends Error {
  override readonly name = 'RewindError';
}

/** A run of a story: plays its steps one by one in a world of its own, and goes back by rewinds. */
export class StorySession {
  readonly #parts: SessionParts;
  readonly #people: PeopleReader;
  readonly #player: Player;
  #respond = 200;
  #scenes: Scene[] = [];
  /** The moment before each played step, and before the next one. */
  #marks: Mark[] = [];
  #played: PlayedStep[] = [];

  private constructor(parts: SessionParts, redirect?: () => Promise<void>) {
    const { scenario, client, partner, inbox, wallClock, run } = parts;
    this.#parts = parts;
    this.#people = new PeopleReader(client, scenario, partner);
    const stage = {
      api: client,
      apiKey: partner.apiKey,
      control: client,
      inbox,
      redirect,
      wallClock,
      holdsClock: true,
    };
    this.#player = new Player(scenario, stage, { run, variables: {} }, scene => {
      this.#scenes.push(scene);
      if (scene.kind === 'respond') this.#respond = scene.status;
    });
  }

  /** Begins a run in a new world: directs the webhooks of the partner to the inbox. */
  static async open(parts: SessionParts): Promise<StorySession> {
    const { scenario, client, partner, inbox } = parts;
    const direction = usesWebhooks(scenario)
      ? await directWebhooks(scenario, { api: client, apiKey: partner.apiKey }, inbox)
      : undefined;
    if (typeof direction === 'string') throw new Error(direction);
    const session = new StorySession(parts, direction?.redirect);
    session.#marks = [await session.#mark(new Map())];
    return session;
  }

  get played(): readonly PlayedStep[] {
    return this.#played;
  }

  /**
   * Goes to the moment after a step; 0 is the beginning. Undoes first what others did in the world since the last one.
   * Stops at the first step that fails on the way. Rejects with a RewindError when the history of the world no longer
   * reaches back.
   */
  async goTo(step: number): Promise<void> {
    await this.#back(Math.min(step, this.#played.length));
    while (this.#played.length < Math.min(step, this.#parts.scenario.steps.length)) {
      const isPassed = await this.#playNext();
      if (!isPassed) break;
    }
  }

  async #playNext(): Promise<boolean> {
    const index = this.#played.length;
    const step = this.#parts.scenario.steps[index];
    if (step === undefined) return false;
    this.#scenes = [];
    const result = await this.#player.play(step, index);
    const before = this.#marks.at(-1)?.people ?? new Map();
    const mark = await this.#mark(before);
    const people = comparePeople(mark.people, before);
    this.#played = [...this.#played, { result, scenes: this.#scenes, people, now: await this.#now() }];
    this.#marks.push(mark);
    return result.status !== 'failed';
  }

  async #back(step: number): Promise<void> {
    const mark = this.#marks[step];
    if (mark === undefined) return;
    const { client, inbox } = this.#parts;
    const to = await this.#firstAfter(mark.entry);
    if (to !== null) await client.control({ method: 'POST', path: '/rewind', body: { to } });
    this.#player.restore(mark.player);
    inbox.keep(mark.arrivals);
    inbox.respond(mark.respond);
    this.#respond = mark.respond;
    this.#marks = this.#marks.slice(0, step + 1);
    this.#played = this.#played.slice(0, step);
  }

  /** Returns the id of the entry after this one, or null when it is the newest. */
  async #firstAfter(entry: string | null): Promise<string | null> {
    const newestFirst = await this.#entries(MAX_ENTRIES);
    const index = entry === null ? newestFirst.length : newestFirst.indexOf(entry);
    if (index < 0 || (entry === null && index === MAX_ENTRIES)) {
      throw new RewindError('the history no longer reaches back to this step; start the story again');
    }
    return newestFirst[index - 1] ?? null;
  }

  async #entries(limit: number): Promise<string[]> {
    const call = { method: 'GET', path: '/history', query: { limit: String(limit) } };
    const { body } = await this.#parts.client.control(call);
    // The control plane validates its responses.
    return (body as readonly { readonly id: string }[]).map(({ id }) => id);
  }

  /** `before` is everybody at the moment before. */
  async #mark(before: KnownPeople): Promise<Mark> {
    const [entry = null] = await this.#entries(1);
    const player = this.#player.mark();
    return {
      entry,
      player,
      people: await this.#people.read(player.variables, before),
      arrivals: this.#parts.inbox.arrivals.length,
      respond: this.#respond,
    };
  }

  async #now(): Promise<string> {
    const { body } = await this.#parts.client.control({ method: 'GET', path: '/clock' });
    // The control plane validates its responses.
    return (body as { readonly now: string }).now;
  }
}
