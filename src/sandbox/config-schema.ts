import * as z from 'zod';
import { kebab } from '../core/values/kebab.ts';
import { OPTIONS, type OptionName } from './options.ts';
import { assumeSchema, ProfileFile } from './profile-schema.ts';

const Text = z.string().min(1);

/** What a file must not set: a secret, which would be committed, and code that changes responses. */
const refused = (rule: string) => z.never(rule).optional();

// Object.keys does not keep the types of names.
const NAMES = (Object.keys(OPTIONS) as OptionName[]).filter(name => name !== 'config');

/** The options of a sandbox. Their table hides that its schemas are those of zod. */
const members = NAMES.map(
  name => [kebab(name), (OPTIONS[name].schema() as unknown as z.ZodType).optional()] as const,
);

/** The content of a configuration file: the options of `start` by their long names. */
export const ConfigFile = z.strictObject({
  /** The schema, for editors. */
  $schema: z.string().optional(),
  ...Object.fromEntries(members),
  fixtures: z.array(Text).min(1).optional(),
  assume: ProfileFile.shape.assume,
  port: z.int().min(0).max(65_535).optional(),
  host: Text.optional(),
  'allow-host': z.array(Text).optional(),
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

/** The content of a configuration file. */
export type ConfigFile = z.output<typeof ConfigFile>;
