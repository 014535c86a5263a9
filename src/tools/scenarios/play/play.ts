import type { Scenario } from '../file/read.ts';
import { type Report, reportOf, type StepResult } from '../report/report.ts';
import { headingOf, Player, type PlayOptions } from './player.ts';
import type { Stage } from './stage.ts';
import { type Mark, Tape } from './tape.ts';
import type { Watcher } from './watcher.ts';

/**
 * Plays a scenario step by step and reports the result of each step. Rejects with an UnreachableError when the server
 * is unreachable in the first step; later the step fails instead.
 */
export async function playScenario(
  scenario: Scenario,
  stage: Stage,
  options: PlayOptions,
  watcher: Watcher = {},
): Promise<Report> {
  const player = new Player(scenario, stage, options, scene => {
    if (scene.kind === 'respond') tape?.responds(scene.status);
    watcher.shows?.(scene);
  });
  const tape = watcher.canGoBack ? tapeOf(stage, player) : null;
  const { steps } = scenario;
  const results: StepResult[] = [];
  const marks: Mark[] = [];
  while (results.length < steps.length) {
    const index = results.length;
    const step = steps[index];
    if (step === undefined || stage.signal?.aborted) break;
    const opening = {
      number: index + 1,
      of: steps.length,
      heading: headingOf(step),
      note: step.note ?? null,
    };
    const move = await watcher.begins?.(opening);
    if (stage.signal?.aborted) break;
    const mark = move === 'back' ? marks.pop() : undefined;
    if (mark !== undefined) {
      await tape?.rewind(mark);
      results.pop();
      continue;
    }
    if (tape !== null) marks.push(await tape.mark());
    const result = await player.play(step, index);
    results.push(result);
    watcher.ends?.(result);
    if (result.status === 'failed' && !options.keepGoing) break;
  }
  return reportOf(scenario, results);
}

/** Returns what winds the sandbox back, or null without a control plane. */
function tapeOf({ control, inbox }: Stage, player: Player): Tape | null {
  return control === null
    ? null
    : new Tape({ control, player, inbox: typeof inbox === 'string' ? null : inbox });
}
