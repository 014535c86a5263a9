import { UnreachableError } from '../../client/client.ts';
import { redactText } from '../../kernel/journal/redact.ts';
import { parseDuration } from '../../kernel/values/duration.ts';
import type { Scenario } from '../file/read.ts';
import { type Action, actionOf, type Step } from '../file/schema.ts';
import { fill, UndefinedVariableError } from '../file/variables.ts';
import { type Report, reportOf, type StepResult } from '../report/report.ts';
import { type Finding, playAdvance, playControl, playRequest, type Show } from './request-steps.ts';
import { valueAt } from './matching.ts';
import type { Stage } from './stage.ts';
import type { Watcher } from './watcher.ts';
import { playWebhook } from './webhook-step.ts';

/** How a scenario is played. */
export interface PlayOptions {
  /** Plays on behind a difference. */
  readonly keepGoing: boolean;
  /** What `${run}` stands for: something that no earlier run on the same server had. */
  readonly run: string;
  /** Values that weigh more than those of the scenario, and than what its steps capture. */
  readonly variables: Readonly<Record<string, string>>;
}

const NO_CONTROL = 'there is no control plane (--control-url names one)';
const NOTHING: Finding = { differences: [], found: null, rule: null };

/**
 * Plays a scenario step by step and says what became of each. Rejects with an UnreachableError when nothing
 * answers from the start; later that is a difference like any other.
 */
export async function playScenario(
  scenario: Scenario,
  stage: Stage,
  options: PlayOptions,
  watcher: Watcher = {},
): Promise<Report> {
  const player = new Player(scenario, stage, options, watcher);
  const results: StepResult[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    if (stage.signal?.aborted) break;
    await watcher.begins?.({
      number: index + 1,
      of: scenario.steps.length,
      heading: headingOf(step),
      note: step.note ?? null,
    });
    if (stage.signal?.aborted) break;
    const result = await player.play(step, index);
    if (stage.signal?.aborted) break;
    results.push(result);
    watcher.ends?.(result);
    if (result.status === 'failed' && !options.keepGoing) break;
  }
  return reportOf(scenario, results);
}

/** What a step is called where it says nothing itself. */
function headingOf(step: Step): string {
  if (step.say !== undefined) return step.say;
  const action = actionOf(step);
  if (action === 'webhook') return `The webhook ${step.webhook?.eventType} arrives`;
  if (action === 'advance') return `The clock moves on by ${step.advance}`;
  if (action === 'wait') return `${step.wait} pass`;
  return redactText(step.request ?? step.control ?? `The receiver answers ${step.respond} from here on`);
}

class Player {
  readonly #scenario: Scenario;
  readonly #stage: Stage;
  readonly #options: PlayOptions;
  readonly #show: Show;
  readonly #variables: Map<string, unknown>;
  /** Webhooks that a step has seen. */
  readonly #taken = new Set<string>();

  constructor(scenario: Scenario, stage: Stage, options: PlayOptions, watcher: Watcher) {
    this.#scenario = scenario;
    this.#stage = stage;
    this.#options = options;
    this.#show = scene => watcher.shows?.(scene);
    this.#variables = new Map(Object.entries({ run: options.run, ...options.variables }));
    for (const [name, value] of Object.entries(scenario.variables)) {
      if (!this.#variables.has(name)) this.#variables.set(name, fill(value, this.#variables));
    }
  }

  async play(step: Step, index: number): Promise<StepResult> {
    const start = this.#stage.pace.elapsed();
    const result = (made: Pick<StepResult, 'status'> & Partial<StepResult>): StepResult => ({
      number: index + 1,
      heading: headingOf(step),
      at: this.#scenario.placeOf(index),
      reason: null,
      differences: [],
      rule: null,
      durationMs: Math.round(this.#stage.pace.elapsed() - start),
      ...made,
    });
    const reason = this.#whyNot(step);
    if (reason !== null) return result({ status: 'skipped', reason });
    try {
      const filled = fill(step, this.#variables);
      const finding = await this.#act(filled);
      if (this.#stage.control !== null && typeof this.#stage.inbox !== 'string') await this.#settle();
      const differences = [...finding.differences, ...this.#capture(step, finding)];
      const status = differences.length === 0 ? 'passed' : 'failed';
      return result({ status, differences, rule: finding.rule });
    } catch (error) {
      if (error instanceof UndefinedVariableError) {
        return result({ status: 'skipped', reason: this.#withoutValue(error.variable, index) });
      }
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      const isEnded = this.#stage.signal?.aborted === true;
      if (!isEnded && !isLate && (!(error instanceof UnreachableError) || index === 0)) throw error;
      const got = `none: ${error instanceof Error ? error.message : error}`;
      const difference = { path: 'answer', expected: 'one', got };
      return result({ status: 'failed', differences: [difference] });
    }
  }

  /** Why a step cannot be played here; null when it can. */
  #whyNot(step: Step): string | null {
    const { control, inbox } = this.#stage;
    const action = actionOf(step);
    const names = Object.keys(step.capture ?? {});
    if (names.length > 0 && names.every(name => name in this.#options.variables)) {
      return `what it would give is given: ${names.join(', ')}`;
    }
    if (step.sandboxOnly && control === null) return `only a sandbox does this, and ${NO_CONTROL}`;
    if ((action === 'control' || action === 'advance') && control === null) return NO_CONTROL;
    return (action === 'webhook' || action === 'respond') && typeof inbox === 'string' ? inbox : null;
  }

  async #act(step: Step): Promise<Finding> {
    const { control, inbox, pace } = this.#stage;
    const action: Action | null = actionOf(step);
    if (action === 'request') return playRequest(step, this.#stage, this.#show);
    if (action === 'control' && control !== null) return playControl(step, control, this.#stage, this.#show);
    if (action === 'advance' && control !== null) return playAdvance(step.advance ?? '', control, this.#show);
    if (action === 'webhook' && typeof inbox !== 'string') {
      return playWebhook(step, inbox, this.#taken, this.#stage, this.#show);
    }
    if (step.respond !== undefined && typeof inbox !== 'string') {
      inbox.respond(step.respond);
      this.#show({ kind: 'respond', status: step.respond });
    }
    if (step.wait !== undefined) {
      await pace.sleep(parseDuration(step.wait) ?? 0);
      this.#show({ kind: 'waited', duration: step.wait });
    }
    return NOTHING;
  }

  /** Lets every webhook that is under way arrive, so that what is seen does not depend on how fast they are. */
  async #settle(): Promise<void> {
    await this.#stage.control?.control({ method: 'POST', path: '/deliveries/settle' });
  }

  /** Names what the step captures, and reports what is not there. An answer that differs gives nothing. */
  #capture({ capture = {} }: Step, { found, differences }: Finding): Finding['differences'] {
    if (differences.length > 0) return [];
    return Object.entries(capture).flatMap(([name, path]) => {
      const value = valueAt(found, path);
      if (value === undefined) return [{ path, expected: `a value, for \${${name}}`, got: 'nothing' }];
      if (!(name in this.#options.variables)) this.#variables.set(name, value);
      return [];
    });
  }

  #withoutValue(name: string, index: number): string {
    const source = this.#scenario.steps.findIndex(({ capture }) => capture !== undefined && name in capture);
    const why = source < 0 ? '' : `, which step ${source + 1} did not give`;
    return `step ${index + 1} needs \${${name}}${why}; --var ${name}=… gives it`;
  }
}
