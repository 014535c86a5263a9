import type { Scenario } from '../file/read.ts';
import { type Report, reportOf, type StepResult } from '../report/report.ts';
import { headingOf, Player, type PlayOptions } from './player.ts';
import type { Stage } from './stage.ts';
import type { Watcher } from './watcher.ts';

/**
 * Plays a scenario step by step and reports the result of each step. Rejects with an UnreachableError when the server
 * is unreachable in the first step; later the step fails instead.
 */
export async function playScenario(
  scenario: Scenario,
  stage: Stage,
  { keepGoing, ...options }: PlayOptions & { readonly keepGoing: boolean },
  watcher: Watcher = {},
): Promise<Report> {
  const player = new Player(scenario, stage, options, scene => watcher.shows?.(scene));
  const { steps } = scenario;
  const results: StepResult[] = [];
  for (const [index, step] of steps.entries()) {
    if (stage.signal?.aborted) break;
    await watcher.begins?.({
      number: index + 1,
      of: steps.length,
      chapter: step.chapter ?? null,
      heading: headingOf(step),
      note: step.note ?? null,
    });
    if (stage.signal?.aborted) break;
    const result = await player.play(step, index).catch(error => {
      if (stage.signal?.aborted) return null;
      throw error;
    });
    if (result === null) break;
    results.push(result);
    watcher.ends?.(result);
    if (result.status === 'failed' && !keepGoing) break;
  }
  return reportOf(scenario, results);
}
