import * as z from 'zod';
import { assumeProblem } from '../../service/assumptions/settings.ts';
import { nameTexts } from './schema.ts';

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
  names: nameTexts().optional(),
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
