import { areaNames, areaOf } from './areas.js';

/** The percentage of mutants that must be detected, over all and in each area. */
const MIN_SCORE = 85;
const MIN_AREA_SCORE = 80;

/**
 * Rows for the table of `npm run prove`: one per area, and one for all mutants.
 *
 * @param {{ file: string, verdict: string }[]} mutants
 */
export function rowsOf(mutants) {
  const areas = areaNames.map(area => ({
    claim: `the tests detect at least ${MIN_AREA_SCORE} % of the mutants in the ${area}`,
    minScore: MIN_AREA_SCORE,
    mutants: mutants.filter(({ file }) => areaOf(file) === area),
  }));
  const all = {
    claim: `the tests detect at least ${MIN_SCORE} % of all mutants, except in code that runs while modules load`,
    minScore: MIN_SCORE,
    mutants,
  };
  return [...areas, all]
    .filter(group => group.mutants.length > 0)
    .map(group => {
      const { text, score } = measure(group.mutants);
      return { claim: group.claim, measured: text, holds: score >= group.minScore };
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
