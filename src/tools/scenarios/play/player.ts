import { UnreachableError, UnsendableError } from '../../../client/client.ts';
import { dropLiveKeys, redactText } from '../../../core/redaction/redact.ts';
import { isError } from '../../../core/values/is-error.ts';
import { messageOf } from '../../../core/values/read-thrown.ts';
import type { Scenario } from '../file/read.ts';
import { type Action, actionOf, type Step } from '../file/schema.ts';
import { fill, fillExpected, UndefinedVariableError } from '../file/variables.ts';
import type { StepResult } from '../report/report.ts';
import { withSettings } from '../report/setting-behind.ts';
import { valueAt } from './matching.ts';
import {
  NO_DIFFERENCE,
  type Outcome,
  playAdvance,
  playControl,
  playRequest,
  type Show,
} from './request-steps.ts';
import type { Stage } from './stage.ts';
import { playWebhook } from './webhooks.ts';

export interface PlayOptions {
  /** The value of `${run}`, unique among the runs on one server. */
  readonly run: string;
  /** Values that override the variables of the scenario and the captures of its steps. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface PlayerMark {
  readonly variables: ReadonlyMap<string, unknown>;
  readonly seen: ReadonlySet<string>;
}

/** Control calls after which the webhook configuration is another one. */
const REPLACES_WORLD = /^(?:POST \/(?:reset|rewind|checkpoints\/[^/]+\/restore)|PUT \/state)$/;

const NO_CONTROL = 'there is no control plane; --control-url sets one';

/** Returns the heading of a step, or a default made from its action. */
export function headingOf(step: Step): string {
  if (step.say !== undefined) return step.say;
  const action = actionOf(step);
  if (action === 'webhook') return `Webhook ${step.webhook?.eventType} arrives`;
  if (action === 'advance') return `Advance the clock by ${step.advance}`;
  return redactText(step.request ?? step.control ?? `The receiver responds with ${step.respond} from now on`);
}

/** Plays the steps of a scenario, one at a time, with the values that earlier ones captured. */
export class Player {
  readonly #scenario: Scenario;
  readonly #stage: Stage;
  readonly #options: PlayOptions;
  readonly #show: Show;
  #variables: Map<string, unknown>;
  #seen = new Set<string>();

  constructor(scenario: Scenario, stage: Stage, options: PlayOptions, show: Show) {
    this.#scenario = scenario;
    this.#stage = stage;
    this.#options = options;
    this.#show = show;
    this.#variables = new Map(Object.entries({ run: options.run, ...options.variables }));
    for (const [name, value] of Object.entries(scenario.variables)) {
      if (!this.#variables.has(name)) this.#variables.set(name, fill(value, this.#variables));
    }
  }

  mark(): PlayerMark {
    return { variables: new Map(this.#variables), seen: new Set(this.#seen) };
  }

  restore({ variables, seen }: PlayerMark): void {
    this.#variables = new Map(variables);
    this.#seen = new Set(seen);
  }

  /**
   * Plays a step. Rejects with an UnreachableError when the server is unreachable in the first one, and with any error when
   * the signal of the stage is aborted before the step has ended.
   */
  async play(step: Step, index: number): Promise<StepResult> {
    const start = this.#stage.wallClock.elapsed();
    const result = (fields: Pick<StepResult, 'status'> & Partial<StepResult>): StepResult => ({
      number: index + 1,
      heading: headingOf(step),
      at: this.#scenario.placeOf(index),
      reason: null,
      differences: [],
      rule: null,
      durationMs: Math.round(this.#stage.wallClock.elapsed() - start),
      ...fields,
    });
    const reason = this.#skipReason(step);
    if (reason !== null) return result({ status: 'skipped', reason });
    try {
      const filled = this.#fill(step);
      checkKeys(filled);
      const outcome = await this.#act(filled);
      // What it waited for may have come, had nobody stopped it.
      this.#stage.signal?.throwIfAborted();
      if (REPLACES_WORLD.test(filled.control ?? '')) await this.#stage.redirect?.();
      await this.#settle();
      const found = [...outcome.differences, ...this.#capture(step, outcome)];
      const { differences, rule } = withSettings(found, filled);
      const status = differences.length === 0 ? 'passed' : 'failed';
      return result({ status, differences, rule: rule ?? outcome.rule });
    } catch (error) {
      if (error instanceof UndefinedVariableError) {
        return result({ status: 'skipped', reason: this.#missingValue(error.variable, index) });
      }
      if (error instanceof UnsendableError) {
        const difference = { path: 'request', expected: 'one that can be sent', got: error.message };
        return result({ status: 'failed', differences: [difference] });
      }
      const isTimeout = isError(error) && error.name === 'TimeoutError';
      if (this.#stage.signal?.aborted) throw error;
      if (!isTimeout && (!(error instanceof UnreachableError) || index === 0)) throw error;
      const got = `none: ${messageOf(error)}`;
      const difference = { path: 'response', expected: 'one', got };
      return result({ status: 'failed', differences: [difference] });
    }
  }

  #skipReason(step: Step): string | null {
    const { control, inbox } = this.#stage;
    const action = actionOf(step);
    const names = Object.keys(step.capture ?? {});
    if (names.length > 0 && names.every(name => this.#isSet(name))) {
      return `--var sets what it would capture: ${names.join(', ')}`;
    }
    if (step.sandboxOnly && control === null) return `only a sandbox supports this, and ${NO_CONTROL}`;
    if ((action === 'control' || action === 'advance') && control === null) return NO_CONTROL;
    return (action === 'webhook' || action === 'respond') && typeof inbox === 'string' ? inbox : null;
  }

  #fill(step: Step): Step {
    const filled = fill(step, this.#variables);
    if (step.expect !== undefined) filled.expect = fillExpected(step.expect, this.#variables);
    if (filled.webhook !== undefined && step.webhook?.data !== undefined)
      filled.webhook.data = fillExpected(step.webhook.data, this.#variables);
    return filled;
  }

  async #act(step: Step): Promise<Outcome> {
    const { control, inbox } = this.#stage;
    const action: Action | null = actionOf(step);
    if (action === 'request') {
      return playRequest(step, this.#stage, this.#show, this.#scenario.documentedShapes);
    }
    if (action === 'control' && control !== null) return playControl(step, control, this.#stage, this.#show);
    if (action === 'advance' && control !== null)
      return playAdvance(step.advance ?? '', control, this.#stage, this.#show);
    if (action === 'webhook' && typeof inbox !== 'string') {
      return playWebhook(step, inbox, this.#seen, this.#stage, this.#show);
    }
    if (step.respond !== undefined && typeof inbox !== 'string') {
      inbox.respond(step.respond);
      this.#show({ kind: 'respond', status: step.respond });
    }
    return NO_DIFFERENCE;
  }

  /** Waits for all pending webhooks, so that the result does not depend on their speed. */
  async #settle(): Promise<void> {
    const { control, signal } = this.#stage;
    await control?.control({ method: 'POST', path: '/deliveries/settle', signal });
  }

  /**
   * Sets the variables of `capture` and returns the missing values. Of a response that is not as expected, it captures
   * what is there: later steps that need it can be compared.
   */
  #capture({ capture = {} }: Step, { source, differences }: Outcome): Outcome['differences'] {
    return Object.entries(capture).flatMap(([name, path]) => {
      // A response has its headers in lower case; expectations take any.
      const value = valueAt(source, path.startsWith('headers.') ? path.toLowerCase() : path);
      if (value === undefined && differences.length > 0) return [];
      if (value === undefined) return [{ path, expected: `a value, for \${${name}}`, got: 'nothing' }];
      if (!this.#isSet(name)) this.#variables.set(name, value);
      return [];
    });
  }

  #isSet(name: string): boolean {
    return Object.hasOwn(this.#options.variables, name);
  }

  #missingValue(name: string, index: number): string {
    const source = this.#scenario.steps.findIndex(
      ({ capture }) => capture !== undefined && Object.hasOwn(capture, name),
    );
    const why = source < 0 ? '' : `, which step ${source + 1} did not capture`;
    return `step ${index + 1} needs \${${name}}${why}; --var ${name}=… sets it`;
  }
}

/** Throws an UnsendableError for a step that would send a production key. */
function checkKeys({ request, control, key, headers, body }: Step): void {
  const sent = JSON.stringify([request, control, key, headers, body]);
  if (dropLiveKeys(sent) === sent) return;
  throw new UnsendableError('it has a production key; use a key that begins with sk_test_');
}
