import type { Scenario } from '../../tools/scenarios/file/read.ts';
import { differenceText, type Watcher } from '../../tools/scenarios/play/watcher.ts';
import type { Report, StepResult } from '../../tools/scenarios/report/report.ts';
import { ruleText } from '../../tools/scenarios/report/report.ts';
import { colour, print, printable } from '../output/print.ts';
import { verdict } from './verdict.ts';

/** Prints one line per step, and the differences below a step that fails. */
export class Comparison implements Watcher {
  title({ name, steps }: Pick<Scenario, 'name' | 'steps'>): void {
    print(`${colour.bold(printable(name))} ${colour.dim(`(${steps.length} steps)`)}`);
  }

  ends({ status, number, heading, at, reason, differences, rule }: StepResult): void {
    const sign = { passed: colour.green('✓'), failed: colour.red('✗'), skipped: colour.yellow('-') }[status];
    const label = String(number).padStart(2);
    const tail = status === 'skipped' ? colour.dim(` (skipped: ${printable(reason ?? '')})`) : '';
    print(`${sign} ${label} ${printable(heading)}${tail}`);
    for (const difference of differences) print(colour.red(`     ${printable(differenceText(difference))}`));
    if (status !== 'failed') return;
    print(colour.dim(`     ${at}${rule === null ? '' : `; ${ruleText(rule)}`}`));
  }

  /** Prints the summary. */
  closes(report: Report): void {
    print('');
    print((report.ok ? colour.green : colour.red)(verdict(report)));
  }
}
