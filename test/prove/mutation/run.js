// Mutation testing: how many small changes to the source the tests detect. `npm run prove -- mutation` tests a sample of
// all, `node test/prove/mutation/run.js src/core/time/timers.ts` all in some files or folders. Prints each undetected mutant
// as soon as it is known. Requires `npm run build`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, sampleOf, sources, tests } from './areas.js';
import { instrument } from './instrument.js';
import { rowsOf, survivorsOf } from './report.js';
import { Worker } from './worker.js';

const WORKERS = 2;
const FOLDER = join(ROOT, 'node_modules/.cache/card-sandbox/mutants');

const selected = process.argv.slice(2);

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const all = await instrument(sources(), FOLDER);
const isSelected = ({ file }) => selected.some(start => file.startsWith(start));
const mutants = selected.length === 0 ? sampleOf(all) : all.filter(isSelected);
await measureCoverage(mutants);
console.log(survivorsOf(mutants).join('\n'));
await judge(mutants.filter(({ verdict }) => verdict === undefined));
writeFileSync(join(FOLDER, 'mutants.json'), JSON.stringify(mutants, null, 2));
const rows = rowsOf(mutants, all);
for (const { claim, measured } of rows) console.log(`${claim}: ${measured}`);
const { CARD_SANDBOX_PROOF_ROWS: report } = process.env;
if (report !== undefined) writeFileSync(report, JSON.stringify(rows));

/** Measures which tests execute which mutants, and sets the verdict on mutants that no test executes. */
async function measureCoverage(chosen) {
  const sourceOf = Object.fromEntries(chosen.map(({ id, file }) => [id, file]));
  await new Worker(FOLDER, 'coverage').run({ testFiles: tests(), sources: sourceOf });
  const coverage = JSON.parse(readFileSync(join(FOLDER, 'coverage.json'), 'utf8'));
  for (const name of coverage.failing) console.log(`ignored, because it fails without a mutant: ${name}`);
  const executed = new Set(coverage.tests.flatMap(({ hits }) => Object.keys(hits)));
  const whileLoading = new Set(coverage.static);
  for (const mutant of chosen) {
    if (!executed.has(mutant.id)) mutant.verdict = whileLoading.has(mutant.id) ? 'static' : 'uncovered';
  }
}

/** Sets the verdict on each of these mutants. */
async function judge(open) {
  console.log(`${open.length} mutants`);
  const byId = new Map(open.map(mutant => [mutant.id, mutant]));
  let done = 0;
  const record = (id, verdict) => {
    byId.get(id).verdict = verdict;
    for (const line of survivorsOf([byId.get(id)])) console.log(line);
    done += 1;
    if (done % 100 === 0) console.log(`${done} of ${open.length} judged`);
  };
  const parts = Array.from({ length: WORKERS }, (_, worker) =>
    open.filter((_, index) => index % WORKERS === worker),
  );
  await Promise.all(parts.map((part, worker) => new Worker(FOLDER, `${worker}`).judge(part, record)));
}
