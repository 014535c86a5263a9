import * as z from 'zod';
import type { Assumption } from '../../src/kernel/operation/host.ts';
import { operations } from '../../src/sandbox/operations.ts';

/** The operations below `/v1`, with what each rests on. */
export function operationTable(): string {
  const rows = operations
    .filter(({ plane }) => plane === 'partner')
    .map(({ method, path, summary, fidelity }) => {
      const source = fidelity.kind === 'documented' ? fidelity.section : `assumed: \`${fidelity.id}\``;
      return `| \`${method} /v1${path}\` | ${summary} | ${source} |`;
    });
  return ['| Call | What it does | Interface section |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The operations below `/_sandbox`, with the members of their queries and bodies. */
export function controlTable(): string {
  const rows = operations
    .filter(({ plane }) => plane === 'control')
    .map(({ method, path, summary, query, body }) => {
      const input = [...members(query), ...members(body)].map(name => `\`${name}\``).join(', ');
      return `| \`${method} ${path.slice(1)}\` | ${input} | ${summary} |`;
    });
  return ['| Call | Takes | What it does |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The register of assumptions. */
export function assumptionTable(assumptions: readonly Assumption[]): string {
  const rows = assumptions.map(({ id, section, decision }) => {
    const text = decision.replaceAll('|', '\\|').replaceAll('<', '&lt;');
    return `| \`${id}\` | ${section} | ${text} |`;
  });
  return ['| Assumption | Fills section | What the sandbox does |', '| --- | --- | --- |', ...rows].join(
    '\n',
  );
}

function members(schema: z.ZodType): string[] {
  const { $ref, $defs = {}, ...inline } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  // A schema with a name of its own comes as a reference to it.
  const { properties = {}, required = [] } = $defs[$ref?.split('/').at(-1) ?? ''] ?? inline;
  return Object.keys(properties).map(name => (required.includes(name) ? name : `${name}?`));
}
