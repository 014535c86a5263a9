import * as z from 'zod';
import { DURATION_PATTERN } from '../core/values/duration.ts';
import { kebab } from '../core/values/kebab.ts';
import { readListenHost } from '../core/values/listen-host.ts';
import { PARAMETER_NAME, type Setting } from '../core/values/setting.ts';
import { assumptions } from '../service/assumptions/register.ts';
import { assumeProblems } from '../service/assumptions/settings.ts';
import { isModulePath } from './fixtures/file/source.ts';
import { OPTIONS, type OptionName } from './options.ts';
import { HOST_NAME_RULE, readHostName } from './surface-address.ts';

const Text = z.string().min(1);

/** What a file must not set: a secret, which would be committed, and code that changes responses. */
const refused = (rule: string) => z.never(rule).optional();

// Object.keys does not keep the types of names.
const NAMES = (Object.keys(OPTIONS) as OptionName[]).filter(name => name !== 'config');

/** The options of a sandbox. Their table hides that its schemas come from zod. */
const members = NAMES.map(
  name => [kebab(name), (OPTIONS[name].schema() as unknown as z.ZodType).optional()] as const,
);

/** The content of a configuration file: the options of `start` by their long names. */
export const ConfigFile = z.strictObject({
  $schema: z.string().optional(),
  ...Object.fromEntries(members),
  fixtures: z
    .array(
      Text.refine(path => !isModulePath(path), 'is code, which a file must not load; pass it to --fixtures'),
    )
    .min(1)
    .optional(),
  assume: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .superRefine((assume, context) => {
      for (const { name, rule } of assumeProblems(assume))
        context.addIssue({ code: 'custom', path: [name], message: rule });
    })
    .optional(),
  port: z.int().min(0).max(65_535).optional(),
  host: Text.transform((text, context) => {
    const read = readListenHost(text);
    if ('host' in read) return read.host;
    context.addIssue({ code: 'custom', message: read.rule });
    return z.NEVER;
  }).optional(),
  'allow-host': z.array(Text.refine(text => readHostName(text) !== null, HOST_NAME_RULE)).optional(),
  'trust-proxy': z.boolean().optional(),
  watch: z.boolean().optional(),
  scenarios: z.array(Text).min(1).optional(),
  'log-format': z.enum(['pretty', 'json']).optional(),
  'control-token': refused(
    'is a secret, which a file must not hold; pass --control-token or CARD_SANDBOX_CONTROL_TOKEN',
  ),
  handlers: refused('is code that responds in place of the sandbox; pass --handlers'),
});

/** Returns the format of configuration files as JSON Schema, for editors. */
export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ConfigFile, { io: 'input', unrepresentable: 'any' });
  const described = NAMES.map(name => {
    const member = kebab(name);
    const shape = name === 'assume' ? assumeSchema() : schema.properties?.[member];
    return [member, { description: OPTIONS[name].flag, ...Object(shape) }];
  });
  return {
    ...schema,
    title: 'card-sandbox configuration',
    properties: { ...schema.properties, ...Object.fromEntries(described) },
  };
}

/** Returns the JSON Schema of `assume`, which the schema of the file only has as a function. */
function assumeSchema() {
  const properties = assumptions.flatMap(entry =>
    'setting' in entry ? [[entry.id, { description: entry.decision, ...valueSchema(entry.setting) }]] : [],
  );
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

function valueSchema({ type, choices = [], default: initial }: Setting) {
  // A choice that is a number or a boolean can be written as a text, and the text null as null.
  const values = [...new Set([...choices, ...choices.map(String)])].flatMap(each =>
    each === 'null' ? [each, null] : [each],
  );
  if (type === 'choice') return { enum: values, default: initial };
  const { source: pattern } = type === 'duration' ? DURATION_PATTERN : PARAMETER_NAME;
  return {
    anyOf: [{ type: 'string', pattern }, ...choices.map(each => ({ const: each }))],
    default: initial,
  };
}

export type ConfigFile = z.output<typeof ConfigFile>;
