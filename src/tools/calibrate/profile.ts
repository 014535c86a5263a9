import { stringify } from 'yaml';
import * as z from 'zod';
import { ASSUMPTIONS } from '../../client/generated/assumptions.ts';
import type { Calibration } from './calibrate.ts';
import type { Result, Verdict } from './probe.ts';

const TITLES: Readonly<Record<Verdict, string>> = {
  contradicted: 'Contradicted',
  observed: 'Observed',
  unknown: 'Unknown',
};
const DECISIONS: ReadonlyMap<string, string> = new Map(ASSUMPTIONS.map(({ id, decision }) => [id, decision]));

/**
 * Returns a calibration as a profile: names and settings with which the sandbox answers as the service does. `evidence` is
 * the name of the file with what they are based on.
 */
export function profileText({ service, observedAt, names, results }: Calibration, evidence: string): string {
  const settings = results.flatMap(({ setting }) => (setting === undefined ? [] : [setting]));
  const head = `# Written by card-sandbox calibrate; the evidence is in ${evidence}.
# card-sandbox start --profile FILE answers as this service does.
`;
  return `${head}${yamlOf({
    service,
    observedAt,
    ...(Object.keys(names).length > 0 && { names }),
    assume: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
  })}`;
}

/** Returns what the profile of a calibration is based on, by the ids of the entries. */
export function evidenceText({ service, observedAt, results }: Calibration): string {
  const observations = results.map(({ id, verdict, setting, evidence }) => [
    id,
    { verdict, ...(setting !== undefined && { setting }), ...evidence },
  ]);
  return yamlOf({ service, observedAt, observations: Object.fromEntries(observations) });
}

function yamlOf(value: object): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

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

/** Returns the verdicts that the evidence of a profile holds, by the ids of the entries; not those that are unknown. */
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

/** Returns a calibration as a report in Markdown: first what is contradicted, with the requests that show it. */
export function markdownReport({ service, observedAt, results, summary, leftovers }: Calibration): string {
  const { observed, contradicted, unknown, requests } = summary;
  return [
    `# Calibration of ${code(service)}`,
    '',
    `${observedAt}: ${observed} observed, ${contradicted} contradicted, ${unknown} unknown, ${requests} requests.`,
    ...leftovers.map(each => `\nNot cleaned up: ${each}.`),
    ...(['contradicted', 'observed', 'unknown'] as const).flatMap(verdict =>
      section(
        verdict,
        results.filter(each => each.verdict === verdict),
      ),
    ),
    '',
  ].join('\n');
}

function section(verdict: Verdict, results: readonly Result[]): readonly string[] {
  if (results.length === 0) return [];
  return ['', `## ${TITLES[verdict]}`, ...results.flatMap(result => entry(result))];
}

function entry({ id, verdict, setting, evidence }: Result): readonly string[] {
  const { seen, needs, exchanges } = evidence;
  const lines = ['', `### ${id}`, '', `The sandbox: ${DECISIONS.get(id) ?? ''}`];
  if (seen !== undefined) lines.push('', `The service: ${seen}.`);
  if (needs !== undefined) lines.push('', `It would take ${needs}.`);
  if (setting !== undefined) lines.push('', `Setting: ${code(`--assume ${setting.name}=${setting.value}`)}`);
  if (verdict === 'contradicted') {
    lines.push('', '```', ...exchanges.map(exchange => JSON.stringify(exchange)), '```');
  }
  return lines;
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
