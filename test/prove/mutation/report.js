import { roomNames, roomOf } from './rooms.js';

/** Which part of all mutants has to be found out, and of those of each room, in percent. */
const LEAST = 85;
const LEAST_OF_ROOM = 80;

/**
 * Lines for the table of `npm run prove`: one a room, and one for all.
 *
 * @param {{ file: string, verdict: string }[]} mutants
 */
export function rowsOf(mutants) {
  const rooms = roomNames.map(room => ({
    claim: `the tests find out what is changed in the ${room}: at least ${LEAST_OF_ROOM} % of the mutants`,
    least: LEAST_OF_ROOM,
    some: mutants.filter(({ file }) => roomOf(file) === room),
  }));
  const all = {
    claim: `and at least ${LEAST} % of all; what is done while modules are loaded has been left out`,
    least: LEAST,
    some: mutants,
  };
  return [...rooms, all]
    .filter(({ some }) => some.length > 0)
    .map(({ claim, least, some }) => {
      const { text, score } = measure(some);
      return { claim, measured: text, holds: score >= least };
    });
}

/**
 * The mutants that nobody has found out, a line each.
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
  const text = `${score.toFixed(1)} % of ${judged}: ${killed} killed, ${timeout} timed out, ${survived + uncovered} survived, ${uncovered} of them come by in no test; ${count('static')} left out`;
  return { text, score };
}
