import type { Client } from '../../../client/client.ts';
import { findOperation } from '../../../client/find-operation.ts';
import { assumptions } from '../../../service/assumptions/register.ts';
import type { Scenario } from '../file/read.ts';
import { type Action, actionOf, type Step } from '../file/schema.ts';
import type { Difference } from '../play/matching.ts';

export interface StepResult {
  readonly number: number;
  readonly heading: string;
  /** `file:line`. */
  readonly at: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly reason: string | null;
  readonly differences: readonly Difference[];
  readonly rule: StatedRule | null;
  readonly durationMs: number;
}

export interface Report {
  readonly scenario: string;
  readonly file: string;
  /** Whether at least one step was compared, none failed and none is left. */
  readonly ok: boolean;
  /** The steps that have compared a response or a webhook with what was expected. */
  readonly compared: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Steps that were not played, because playing was aborted or stopped at a failed step. */
  readonly left: number;
  readonly steps: readonly StepResult[];
}

/** The actions whose result is compared. The others set something, or only say it. */
const COMPARING: readonly (Action | null)[] = ['request', 'control', 'webhook'];

/** Whether a step compares something of the server. A forged webhook goes to the receiver of this process alone. */
function isComparing(step: Step): boolean {
  return COMPARING.includes(actionOf(step)) && step.webhook?.isForged !== true;
}

export function reportOf(
  { name, file, steps: all }: Pick<Scenario, 'name' | 'file' | 'steps'>,
  steps: readonly StepResult[],
): Report {
  const count = (status: StepResult['status']) => steps.filter(each => each.status === status).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const left = all.length - steps.length;
  const compared = steps.filter(
    ({ status, number }) => status !== 'skipped' && isComparing(all[number - 1] ?? {}),
  ).length;
  // Steps that were not played without a failure before them: playing was aborted.
  const ok = failed === 0 && compared > 0 && left === 0;
  return { scenario: name, file, ok, compared, passed, failed, skipped, left, steps };
}

/** The rule behind a response: a section of the interface, or an assumption where that section is silent. */
export interface StatedRule {
  readonly section: string;
  /** Id of the assumption; null for a rule that the interface states. */
  readonly assumption: string | null;
  readonly decision: string | null;
}

/** Returns the rule that the sandbox's journal has for a response, or null without one. */
export async function ruleInJournal(
  control: Client | null,
  headers: Readonly<Record<string, string>>,
): Promise<StatedRule | null> {
  const id = headers['x-sandbox-request'];
  if (control === null || id === undefined) return null;
  try {
    const { body } = await control.control({ method: 'GET', path: `/requests/${encodeURIComponent(id)}` });
    // The control plane validates its responses.
    const { rule } = body as { rule: { section: string; id: string | null; decision: string | null } | null };
    return rule === null ? null : { section: rule.section, assumption: rule.id, decision: rule.decision };
  } catch {
    // The journal may have been cleared in the meantime.
    return null;
  }
}

/** Returns the rule of the operation behind a call, or null when there is no such operation. */
export function ruleOfOperation(method: string, path: string): StatedRule | null {
  const operation = findOperation('partner', method, path);
  if (operation === null) return null;
  const { section = '', assumption } = operation;
  if (assumption === undefined) return { section, assumption: null, decision: null };
  return ruleOfAssumption(assumption);
}

/** Returns what the register states about an assumption, or null for an id that it does not have. */
export function ruleOfAssumption(id: string | undefined): StatedRule | null {
  const entry = assumptions.find(each => each.id === id);
  return entry === undefined
    ? null
    : { section: entry.section, assumption: entry.id, decision: entry.decision };
}

/** Formats a rule: `interface section 4.1`, or the assumption for that section. */
export function ruleText({ section, assumption }: StatedRule): string {
  if (assumption === null) return `interface section ${section}`;
  return `assumption ${assumption}, for interface section ${section}`;
}

export function summarize({ compared, passed, failed, skipped, left, steps }: Report): string {
  const others = [
    ...(skipped > 0 ? [`${stepCount(skipped)} skipped`] : []),
    ...(left > 0 ? [`${stepCount(left)} not played`] : []),
  ];
  const rest = others.length === 0 ? '' : `; ${others.join(', ')}`;
  if (failed === 0 && compared === 0) return `Nothing was compared${rest}.`;
  if (failed === 0) {
    const isComplete = passed === steps.length && left === 0;
    return `${isComplete ? 'All ' : ''}${stepCount(passed)} passed${rest}.`;
  }
  const numbers = steps.filter(({ status }) => status === 'failed').map(({ number }) => number);
  return `${failed} of ${stepCount(steps.length + left)} failed: ${numbers.join(', ')}${rest}.`;
}

function stepCount(count: number): string {
  return `${count} ${count === 1 ? 'step' : 'steps'}`;
}
