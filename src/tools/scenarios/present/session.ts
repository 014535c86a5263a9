import type { Client } from '../../../client/client.ts';
import type { WebhookReceiver } from '../../../client/webhook-receiver.ts';
import type { Scenario } from '../file/read.ts';
import { type Mark, Tape } from '../play/play.ts';
import { Player } from '../play/player.ts';
import type { WallClock } from '../play/stage.ts';
import type { Scene } from '../play/watcher.ts';
import { directWebhooks, usesWebhooks } from '../play/webhooks.ts';
import type { StepResult } from '../report/report.ts';
import { type PartnerChange, type RecordChange, RecordChanges } from './record-changes.ts';

export type { PartnerChange } from './record-changes.ts';

/** A step that was played, with what happened in it. */
export interface PlayedStep {
  readonly result: StepResult;
  readonly scenes: readonly Scene[];
  readonly changes: readonly RecordChange[];
  /** Sandbox time after it. */
  readonly now: string;
}

/** The world that a story is played in, and what observes it. */
export interface SessionParts {
  readonly scenario: Scenario;
  /** Calls the world. */
  readonly client: Client;
  readonly partner: { readonly id: string; readonly apiKey: string };
  readonly inbox: WebhookReceiver;
  readonly wallClock: WallClock;
  /** Creates a value of `${run}`. */
  readonly newRun: () => string;
}

/** Starts to collect the changes of records. The function that it returns ends that, and returns them. */
export type CollectChanges = () => () => readonly PartnerChange[];

/** The members of a forwarding, as the control plane takes and returns them. */
interface Forwarding {
  readonly url: string | null;
  readonly map: Readonly<Record<string, string>>;
  readonly allowHttp: boolean;
}

interface Clock {
  readonly mode: string;
  readonly now: string;
}

interface SessionMark {
  readonly tape: Mark;
  readonly records: ReturnType<RecordChanges['mark']>;
}

/** A story on stage: plays its steps one by one in a world whose clock it holds, and goes back by rewinds. */
export class StorySession {
  readonly #parts: SessionParts;
  readonly #records: RecordChanges;
  readonly #restores: (() => Promise<unknown>)[] = [];
  readonly #player: Player;
  readonly #tape: Tape;
  #scenes: Scene[] = [];
  /** The moment before each played step, and before the next one. */
  #marks: SessionMark[] = [];
  #played: PlayedStep[] = [];

  private constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#records = new RecordChanges(parts.client);
    const { scenario, client, partner, inbox, wallClock, newRun } = parts;
    const stage = {
      api: client,
      apiKey: partner.apiKey,
      control: client,
      inbox,
      wallClock,
      holdsClock: true,
    };
    const options = { keepGoing: true, run: newRun(), variables: {} };
    this.#player = new Player(scenario, stage, options, scene => {
      this.#scenes.push(scene);
      if (scene.kind === 'respond') this.#tape.responds(scene.status);
    });
    this.#tape = new Tape({ control: client, player: this.#player, inbox });
  }

  /** Prepares a world for a story: holds its clock and directs webhooks to the inbox. */
  static async open(parts: SessionParts): Promise<StorySession> {
    const session = new StorySession(parts);
    try {
      await session.#holdClock();
      if (usesWebhooks(parts.scenario)) await session.#receiveWebhooks();
      session.#marks = [await session.#mark()];
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** The steps that were played, in order. */
  get played(): readonly PlayedStep[] {
    return this.#played;
  }

  /** Goes to the moment after a step; 0 is the beginning. Stops at the first step that fails on the way. */
  async goTo(step: number, collect: CollectChanges): Promise<void> {
    if (step < this.#played.length) await this.#back(step);
    while (this.#played.length < Math.min(step, this.#parts.scenario.steps.length)) {
      const isPassed = await this.#playNext(collect);
      if (!isPassed) break;
    }
  }

  /** Restores the webhooks and the clock of the world. Its records remain. */
  async close(): Promise<void> {
    // Not an error: the world may have ended.
    for (const restore of this.#restores.splice(0).reverse()) await restore().catch(() => undefined);
    this.#parts.inbox.close();
  }

  async #playNext(collect: CollectChanges): Promise<boolean> {
    const index = this.#played.length;
    const step = this.#parts.scenario.steps[index];
    if (step === undefined) return false;
    this.#scenes = [];
    const known = JSON.stringify([step, ...this.#player.mark().variables.values()]);
    await this.#records.readBefore(known, this.#parts.partner.id);
    const changes = collect();
    let result: StepResult;
    try {
      result = await this.#player.play(step, index);
    } finally {
      changes();
    }
    const read = await this.#records.read(changes());
    this.#played = [
      ...this.#played,
      { result, scenes: this.#scenes, changes: read, now: (await this.#clock()).now },
    ];
    this.#marks.push(await this.#mark());
    return result.status !== 'failed';
  }

  async #back(step: number): Promise<void> {
    const mark = this.#marks[step];
    if (mark === undefined) return;
    await this.#tape.rewind(mark.tape);
    this.#records.restore(mark.records);
    this.#marks = this.#marks.slice(0, step + 1);
    this.#played = this.#played.slice(0, step);
  }

  async #mark(): Promise<SessionMark> {
    return { tape: await this.#tape.mark(), records: this.#records.mark() };
  }

  async #holdClock(): Promise<void> {
    const { client } = this.#parts;
    if ((await this.#clock()).mode === 'frozen') return;
    await client.control({ method: 'POST', path: '/clock/freeze' });
    this.#restores.push(() => client.control({ method: 'POST', path: '/clock/resume' }));
  }

  async #clock(): Promise<Clock> {
    const { body } = await this.#parts.client.control({ method: 'GET', path: '/clock' });
    // The control plane validates its responses.
    return body as Clock;
  }

  async #receiveWebhooks(): Promise<void> {
    const { client, scenario, partner, inbox } = this.#parts;
    const { body } = await client.control({ method: 'GET', path: '/forwarding' });
    // The control plane validates its responses.
    const { url, map, allowHttp } = body as Forwarding;
    const forward = (to: Forwarding) => client.control({ method: 'PUT', path: '/forwarding', body: to });
    if (url !== null || !allowHttp) {
      await forward({ url: null, map, allowHttp: true });
      this.#restores.push(() => forward({ url, map, allowHttp }));
    }
    const restore = await directWebhooks(scenario, { api: client, apiKey: partner.apiKey }, inbox);
    if (typeof restore === 'string') throw new Error(restore);
    this.#restores.push(restore);
  }
}
