import type { Client } from '../../../client/client.ts';
import type { Fidelity } from '../../../core/operation/errors.ts';
import type { Operation } from '../../../core/operation/operation.ts';
import { Router } from '../../../core/request/router.ts';
import { API_PREFIX } from '../../../core/values/plane.ts';
import { partnerGroups } from '../../../sandbox/operation-groups.ts';
import { assumptions } from '../../../service/assumptions/register.ts';

/** The rule behind a response: a section of the interface, or an assumption where that section is silent. */
export interface StatedRule {
  readonly section: string;
  /** Id of the assumption; null for a rule that the interface states. */
  readonly assumption: string | null;
  readonly decision: string | null;
}

const router = new Router(API_PREFIX, partnerGroups);

/** Returns the rule that the sandbox's journal has for a response, or null when there is none. */
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

/** Returns the operation behind a call to the API, or null when there is no such operation. */
export function operationOf(method: string, path: string): Operation | null {
  return router.match(method, API_PREFIX + (path.split('?', 1)[0] ?? ''))?.operation ?? null;
}

/** Returns the rule of the operation behind a call, or null when there is no such operation. */
export function ruleOfOperation(method: string, path: string): StatedRule | null {
  const operation = operationOf(method, path);
  return operation === null ? null : ruleOf(operation.fidelity);
}

/** Formats a rule: `interface section 4.1`, or the assumption for that section. */
export function ruleText({ section, assumption }: StatedRule): string {
  if (assumption === null) return `interface section ${section}`;
  return `assumption ${assumption}, for interface section ${section}`;
}

function ruleOf(fidelity: Fidelity): StatedRule {
  if (fidelity.kind === 'documented') return { section: fidelity.section, assumption: null, decision: null };
  const entry = assumptions.find(({ id }) => id === fidelity.id);
  return {
    section: entry?.section ?? '',
    assumption: fidelity.id,
    decision: entry?.decision ?? null,
  };
}
