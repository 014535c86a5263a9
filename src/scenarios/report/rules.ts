import type { Client } from '../../client/client.ts';
import type { Fidelity } from '../../kernel/operation/errors.ts';
import { API_PREFIX } from '../../kernel/operation/plane.ts';
import { Router } from '../../kernel/request/router.ts';
import { assumptions } from '../../sandbox/assumptions/register.ts';
import { operations } from '../../sandbox/operations.ts';

/** The rule behind an answer: a section of the interface, or an assumption that fills one. */
export interface StatedRule {
  readonly section: string;
  /** Id of the assumption; null for a rule that the interface states. */
  readonly assumption: string | null;
  readonly decision: string | null;
}

const router = new Router(
  API_PREFIX,
  operations.filter(({ plane }) => plane === 'partner'),
);

/** What the journal of the sandbox says of an answer; null where there is none, or it says nothing. */
export async function ruleInJournal(
  control: Client | null,
  headers: Readonly<Record<string, string>>,
): Promise<StatedRule | null> {
  const id = headers['x-sandbox-request'];
  if (control === null || id === undefined) return null;
  try {
    const { body } = await control.control({ method: 'GET', path: `/requests/${encodeURIComponent(id)}` });
    // The control plane checks its answers against its own schemas.
    const { rule } = body as { rule: { section: string; id: string | null; decision: string | null } | null };
    return rule === null ? null : { section: rule.section, assumption: rule.id, decision: rule.decision };
  } catch {
    // The journal may have been cleared meanwhile; the answer stands all the same.
    return null;
  }
}

/** What the operation behind a call rests on; null when there is no such operation. */
export function ruleOfOperation(method: string, path: string): StatedRule | null {
  const match = router.match(method, API_PREFIX + (path.split('?', 1)[0] ?? ''));
  return match === null ? null : stated(match.operation.fidelity);
}

/** A rule in words: `interface section 4.1`, or the assumption that fills it. */
export function ruleInWords({ section, assumption }: StatedRule): string {
  if (assumption === null) return `interface section ${section}`;
  return `assumption ${assumption}, for interface section ${section}`;
}

function stated(fidelity: Fidelity): StatedRule {
  if (fidelity.kind === 'documented') return { section: fidelity.section, assumption: null, decision: null };
  const entry = assumptions.find(({ id }) => id === fidelity.id);
  return {
    section: entry?.section ?? '',
    assumption: fidelity.id,
    decision: entry?.decision ?? null,
  };
}
