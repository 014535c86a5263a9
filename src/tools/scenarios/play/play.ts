import type { Client } from '../../../client/client.ts';
import type { WebhookReceiver } from '../../../client/webhook-receiver.ts';
import type { Scenario } from '../file/read.ts';
import { type Report, reportOf, type StepResult } from '../report/report.ts';
import { headingOf, Player, type PlayerMark, type PlayOptions } from './player.ts';
import type { Stage } from './stage.ts';
import type { Watcher } from './watcher.ts';

/** The history keeps no more entries. */
const MAX_ENTRIES = 1_000;

/**
 * Plays a scenario step by step and reports the result of each step. Rejects with an UnreachableError when the server
 * is unreachable in the first step; later the step fails instead.
 */
export async function playScenario(
  scenario: Scenario,
  stage: Stage,
  options: PlayOptions,
  watcher: Watcher = {},
): Promise<Report> {
  const player = new Player(scenario, stage, options, scene => {
    if (scene.kind === 'respond') tape?.responds(scene.status);
    watcher.shows?.(scene);
  });
  const tape = watcher.canGoBack ? tapeOf(stage, player) : null;
  const { steps } = scenario;
  const results: StepResult[] = [];
  const marks: Mark[] = [];
  while (results.length < steps.length) {
    const index = results.length;
    const step = steps[index];
    if (step === undefined || stage.signal?.aborted) break;
    const opening = {
      number: index + 1,
      of: steps.length,
      chapter: step.chapter ?? null,
      heading: headingOf(step),
      note: step.note ?? null,
    };
    const move = await watcher.begins?.(opening);
    if (stage.signal?.aborted) break;
    const mark = move === 'back' ? marks.pop() : undefined;
    if (mark !== undefined) {
      await tape?.rewind(mark);
      results.pop();
      continue;
    }
    if (tape !== null) marks.push(await tape.mark());
    const result = await player.play(step, index).catch(error => {
      if (stage.signal?.aborted) return null;
      throw error;
    });
    if (result === null) break;
    results.push(result);
    watcher.ends?.(result);
    if (result.status === 'failed' && !options.keepGoing) break;
  }
  return reportOf(scenario, results);
}

/** Returns what winds the sandbox back, or null without a control plane. */
function tapeOf({ control, inbox }: Stage, player: Player): Tape | null {
  return control === null
    ? null
    : new Tape({ control, player, inbox: typeof inbox === 'string' ? null : inbox });
}

/** The moment between two steps. */
export interface Mark {
  /** The newest entry of the world's history; null when it was empty. */
  readonly entry: string | null;
  readonly player: PlayerMark;
  readonly arrivals: number;
  /** The status with which the receiver responds. */
  readonly respond: number;
}

/** What a tape winds back: the world with its player and its receiver. */
interface TapeParts {
  readonly control: Client;
  readonly player: Player;
  readonly inbox: WebhookReceiver | null;
}

/** The history of the world no longer has the moment to go back to. */
export class RewindError extends Error {
  override readonly name = 'RewindError';
}

/** Marks the moments between the steps of a scenario, and goes back to them by a rewind of the world's history. */
export class Tape {
  readonly #parts: TapeParts;
  #respond = 200;

  constructor(parts: TapeParts) {
    this.#parts = parts;
  }

  /** Notes the status with which the receiver responds from now on. */
  responds(status: number): void {
    this.#respond = status;
  }

  /** Marks this moment. */
  async mark(): Promise<Mark> {
    const { player, inbox } = this.#parts;
    const [entry = null] = await this.#entries(1);
    return { entry, player: player.mark(), arrivals: inbox?.arrivals.length ?? 0, respond: this.#respond };
  }

  /** Goes back to a mark. Throws a RewindError when the history no longer reaches that far. */
  async rewind({ entry, player, arrivals, respond }: Mark): Promise<void> {
    const to = await this.#firstAfter(entry);
    if (to !== null) await this.#parts.control.control({ method: 'POST', path: '/rewind', body: { to } });
    this.#parts.player.restore(player);
    this.#parts.inbox?.keep(arrivals);
    this.#parts.inbox?.respond(respond);
    this.#respond = respond;
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
    const { body } = await this.#parts.control.control(call);
    // The control plane validates its responses.
    return (body as readonly { readonly id: string }[]).map(({ id }) => id);
  }
}
