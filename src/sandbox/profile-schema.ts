import * as z from 'zod';
import type { Setting } from '../core/values/setting.ts';
import { assumptions } from '../service/assumptions/register.ts';
import { assumeProblem } from '../service/assumptions/settings.ts';
import { neutralNames } from './options.ts';

const Verdict = z.enum(['observed', 'contradicted', 'unknown']);
const IsoTime = z.iso.datetime({ offset: true });

/** What a service was seen to do, compared with one assumption. Further members hold the evidence. */
export const ProfileObservation = z.looseObject({ verdict: Verdict, at: IsoTime.optional() });

/**
 * A profile: the names and settings with which the sandbox answers as a service does, and what they are based on.
 * `observations` are by the ids of the assumptions; ids that the register does not have are kept.
 */
export const ProfileFile = z.strictObject({
  /** The name of the service, for people. */
  service: z.string().min(1).optional(),
  observedAt: IsoTime.optional(),
  names: neutralNames().optional(),
  assume: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .superRefine((assume, context) => {
      const problem = assumeProblem(assume);
      if (problem === null) return;
      context.addIssue({ code: 'custom', path: [problem.name], message: problem.rule });
    })
    .optional(),
  observations: z.record(z.string(), ProfileObservation).optional(),
});

/** The content of a profile. */
export type ProfileFile = z.output<typeof ProfileFile>;

/** Returns the format of profiles as JSON Schema, for editors. */
export function profileJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ProfileFile, { io: 'input', unrepresentable: 'any' });
  return {
    ...schema,
    title: 'card-sandbox profile',
    properties: { ...schema.properties, assume: assumeSchema() },
  };
}

/** Returns the JSON Schema of `assume`, which the schema of the file only has as a function. */
export function assumeSchema() {
  const properties = assumptions.flatMap(entry =>
    'setting' in entry ? [[entry.id, { description: entry.decision, ...valueSchema(entry.setting) }]] : [],
  );
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

function valueSchema({ type, choices = [], default: initial }: Setting) {
  // A choice that is a number or a boolean can be written as a text, too.
  const values = [...new Set([...choices, ...choices.map(String)])];
  if (type === 'choice') return { enum: values, default: initial };
  return { type: 'string', default: initial };
}
