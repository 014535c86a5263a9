// Mutation testing: how many of the small changes that can be made to the sources the tests find out. `npm run prove --
// mutation` does it for all; `node test/prove/mutation/run.js src/kernel/time/timers.ts` for some files or folders, and tells
// which changes nobody has found out. The tests have been built for: `npm run build` comes first.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instrument } from './instrument.js';
import { Lane } from './lane.js';
import { rowsOf, survivorsOf } from './report.js';
import { ROOT, sources, tests } from './rooms.js';

const LANES = 2;
const FOLDER = join(ROOT, 'node_modules/.cache/card-sandbox/mutants');

const asked = process.argv.slice(2);
const isAsked = ({ file }) => asked.length === 0 || asked.some(start => file.startsWith(start));

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const mutants = (await instrument(sources(), FOLDER)).filter(isAsked);
await noteCoverage(mutants);
await judge(mutants.filter(({ verdict }) => verdict === undefined));
writeFileSync(join(FOLDER, 'mutants.json'), JSON.stringify(mutants, null, 2));
console.log(survivorsOf(mutants).join('\n'));
const rows = rowsOf(mutants);
for (const { claim, measured } of rows) console.log(`${claim}: ${measured}`);
const { CARD_SANDBOX_PROOF_ROWS: report } = process.env;
if (report !== undefined) writeFileSync(report, JSON.stringify(rows));

/** Finds out which test passes which mutant, and gives a verdict on those that no test passes. */
async function noteCoverage(all) {
  const sourceOf = Object.fromEntries(all.map(({ id, file }) => [id, file]));
  await new Lane(FOLDER, 'coverage').run({ testFiles: tests(), sources: sourceOf });
  const coverage = JSON.parse(readFileSync(join(FOLDER, 'coverage.json'), 'utf8'));
  for (const name of coverage.failing) console.log(`fails without a mutant, and has no say: ${name}`);
  const passed = new Set(coverage.tests.flatMap(({ hits }) => Object.keys(hits)));
  const whileLoading = new Set(coverage.static);
  for (const mutant of all) {
    if (!passed.has(mutant.id)) mutant.verdict = whileLoading.has(mutant.id) ? 'static' : 'uncovered';
  }
}

/** Gives a verdict on each of these mutants. */
async function judge(open) {
  console.log(`${open.length} mutants`);
  const byId = new Map(open.map(mutant => [mutant.id, mutant]));
  let done = 0;
  const note = (id, verdict) => {
    byId.get(id).verdict = verdict;
    done += 1;
    if (done % 100 === 0) console.log(`${done} of ${open.length} judged`);
  };
  const parts = Array.from({ length: LANES }, (_, lane) => open.filter((_, index) => index % LANES === lane));
  await Promise.all(parts.map((part, lane) => new Lane(FOLDER, `${lane}`).judge(part, note)));
}
