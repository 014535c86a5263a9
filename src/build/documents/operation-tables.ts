import * as z from 'zod';
import type { Assumption } from '../../core/world/world.ts';
import { operations } from '../../sandbox/operations.ts';
import { assumptions } from '../../service/assumptions/register.ts';
import { markdownTable } from './markdown.ts';

/** The operations of the control plane, with the fields of their queries and bodies. */
export function controlTable(): string {
  const rows = operations
    .filter(({ plane }) => plane === 'control')
    .map(({ method, path, summary, query, body }) => {
      const input = [...fieldNames(query), ...fieldNames(body)].map(name => `\`${name}\``).join(', ');
      return [`\`${method} ${path.slice(1)}\``, input, summary];
    });
  return markdownTable(['Operation', 'Fields', 'Summary'], rows);
}

export function assumptionTable(): string {
  const rows = assumptions.map(entry => [`\`${entry.id}\``, entry.section, decisionText(entry)]);
  return markdownTable(['Assumption', 'Interface section', 'Behaviour of the sandbox'], rows);
}

export function decisionText({ decision }: Pick<Assumption, 'decision'>): string {
  return decision
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/docs\/([\w-]+)\.md\S*(?=\.$)/, (link, page) => `[${page}](${link.slice('docs/'.length)})`);
}

export function settingTable(): string {
  const rows = assumptions.flatMap(({ id, setting }: Assumption) => {
    if (setting === undefined) return [];
    const { type, choices = [] } = setting;
    const values = [...(type === 'choice' ? [] : [`a ${type}`]), ...choices.map(each => `\`${each}\``)];
    return [[`\`${id}\``, values.join(', '), `\`${setting.default}\``]];
  });
  return markdownTable(['Setting', 'Values', 'Default'], rows);
}

/** The names of the fields of a schema; optional ones end with a question mark. */
function fieldNames(schema: z.ZodType): string[] {
  const { $ref, $defs = {}, ...inline } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  // A named schema is a reference to its definition.
  const { properties = {}, required = [] } = $defs[$ref?.split('/').at(-1) ?? ''] ?? inline;
  return Object.keys(properties).map(name => (required.includes(name) ? name : `${name}?`));
}
