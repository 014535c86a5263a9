import * as z from 'zod';
import type { Result } from '../verdict.ts';

const Headers = z.record(z.string(), z.string()).exactOptional();
const Exchanges = z.array(
  z.object({
    request: z.object({
      method: z.string(),
      path: z.string(),
      headers: Headers,
      body: z.unknown().optional(),
    }),
    response: z.object({ status: z.int(), headers: Headers, body: z.unknown() }),
  }),
);
const Observation = z.object({
  verdict: z.enum(['observed', 'contradicted']),
  setting: z
    .object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) })
    .exactOptional(),
  at: z.string().exactOptional(),
  seen: z.string().exactOptional(),
  exchanges: Exchanges.default([]),
});

/** Returns the verdicts that the observations of a profile hold, by the ids of the entries; not those that are unknown. */
export function knownResults(observations: Readonly<Record<string, unknown>>): ReadonlyMap<string, Result> {
  const results = new Map<string, Result>();
  for (const [id, observation] of Object.entries(observations)) {
    const { success, data } = Observation.safeParse(observation);
    if (!success) continue;
    const { verdict, setting, ...evidence } = data;
    results.set(id, { id, verdict, ...(setting !== undefined && { setting }), evidence });
  }
  return results;
}
