import type { Rule } from '../../data/response-types.ts';
import { linkTo } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';

/** The rule behind a refusal: a section of the interface, or an assumption of the sandbox. */
export function RuleNote({ rule: { fidelity, id, section } }: { readonly rule: Rule }) {
  return (
    <p class="rule">
      <Badge tone={fidelity === 'documented' ? 'good' : 'warn'} text={fidelity} />
      {id === null ? (
        <span>Section {section} of the interface</span>
      ) : (
        <span>
          <a href={linkTo('assumptions', id)}>{id}</a>, where section {section} is silent
        </span>
      )}
    </p>
  );
}
