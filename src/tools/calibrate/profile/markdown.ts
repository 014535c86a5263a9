import { ASSUMPTIONS } from '../../../client/generated/assumptions.ts';
import type { Calibration } from '../calibrate.ts';
import type { Result, Verdict } from '../verdict.ts';

const TITLES: Readonly<Record<Verdict, string>> = {
  contradicted: 'Contradicted',
  observed: 'Observed',
  unknown: 'Unknown',
};
const DECISIONS: ReadonlyMap<string, string> = new Map(ASSUMPTIONS.map(({ id, decision }) => [id, decision]));

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
