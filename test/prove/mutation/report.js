import { areaNames, areaOf } from './areas.js';

/** The percentage of mutants that must be detected in each area. */
const MIN_SCORE = 80;

/**
 * Rows for the table of `npm run prove`, one per area.
 *
 * @param {{ file: string, verdict: string }[]} mutants the sample that was judged
 * @param {{ file: string }[]} all
 */
export function rowsOf(mutants, all) {
  return areaNames.flatMap(area => {
    const isIn = ({ file }) => areaOf(file) === area;
    const judged = mutants.filter(isIn);
    if (judged.length === 0) return [];
    const { text, score } = measure(judged);
    const claim = `the tests detect at least ${MIN_SCORE} % of the mutants in the ${area}, except in code that runs while modules load`;
    return [
      { claim, measured: `${text}; a sample of ${all.filter(isIn).length}`, holds: score >= MIN_SCORE },
    ];
  });
}

/**
 * The mutants that no test detected, one line per mutant.
 *
 * @param {object[]} mutants
 */
export function survivorsOf(mutants) {
  return mutants
    .filter(({ verdict }) => verdict === 'survived' || verdict === 'uncovered')
    .map(({ file, line, column, kind, replacement, verdict }) => {
      const short = replacement.replace(/\s+/g, ' ').slice(0, 80);
      return `${verdict} ${file}:${line}:${column} ${kind} ${short}`;
    });
}

function measure(mutants) {
  const count = verdict => mutants.filter(mutant => mutant.verdict === verdict).length;
  const [killed, timeout] = [count('killed'), count('timeout')];
  const [survived, uncovered] = [count('survived'), count('uncovered')];
  const judged = killed + timeout + survived + uncovered;
  const score = (100 * (killed + timeout)) / judged;
  const text = `${score.toFixed(1)} % of ${judged}: ${killed} killed, ${timeout} timed out, ${survived + uncovered} survived, ${uncovered} of them not covered by any test; ${count('static')} excluded`;
  return { text, score };
}
