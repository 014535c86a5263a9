import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { UsageError } from '../../errors.ts';

/** The part of a report that names its findings. */
const Report = z.object({ results: z.array(z.object({ id: z.string(), verdict: z.string() })) });

/**
 * Reads the findings of an earlier exam from the file of its `--json`. Returns whether it has a finding. Throws a
 * UsageError for a file that is not such a report.
 */
export function readKnownFindings(file: string): (id: string, verdict: string) => boolean {
  const { results } = read(file);
  return (id, verdict) => results.some(each => each.id === id && each.verdict === verdict);
}

function read(file: string): z.output<typeof Report> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `--baseline ${file} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  const report = Report.safeParse(content);
  if (report.success) return report.data;
  throw new UsageError(`--baseline ${file} is not a report of exam; write one with exam --json > ${file}`);
}
