import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sighted } from '../../../core/journal/coverage.ts';
import { VERSION } from '../../../core/operation/version.ts';
import { OPTIONS } from '../../../sandbox/options.ts';
import { attendedSandbox, hooksOf } from '../../../server/in-process/attended.ts';
import { type EvidenceFile, readEvidence } from '../../../tools/evidence/evidence-file.ts';
import { compareDigests, MANIFEST, readManifest } from '../../../tools/evidence/manifest.ts';
import { writeReport } from '../../../tools/evidence/report.ts';
import { Attendance, noteOwnOptions } from '../../../tools/exam/attendance.ts';
import { catalogue } from '../../../tools/exam/catalogue/catalogue.ts';
import { parseCombination } from '../../../tools/exam/combinations.ts';
import { BASELINE, comparisonWith, judgeRun, REPEATED_BASELINES } from '../../../tools/exam/exam.ts';
import { type FinishedRun, isFinding } from '../../../tools/exam/judge.ts';
import type { Disturbance } from '../../../tools/exam/misbehaviour.ts';
import { RunRecord } from '../../../tools/exam/run-record.ts';
import { differenceText } from '../../../tools/scenarios/play/matching.ts';
import { playScenario } from '../../../tools/scenarios/play/play.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { Exit, FAILED } from '../../errors.ts';
import { printable, printResult, progress } from '../../output/print.ts';
import { type Bundle, openBundle, readBundle } from '../exec/bundle.ts';
import { coverageOfSightings } from '../exec/coverage.ts';
import { digestsIn, EVIDENCE_FILE, REPORT_FILE, RUNS_FOLDER } from './evidence.ts';
import { bundleName, EVIDENCE_BUNDLES } from './run-bundles.ts';

const AFTER = `
Checks that every file is as MANIFEST says and as evidence writes it. Then it plays the history of each run on a
sandbox of its own and compares each response, the conditions, and the verdicts that do not need the command:
applied-twice, accepted and not-exercised. No webhook leaves this machine, and nothing of the folder is run.

The exit code is 0 when nothing differs, and 1 otherwise. A manifest does not show who wrote the folder; see
docs/go-live.md for how to sign it.
${examples('evidence verify evidence')}`;

/** Adds `evidence verify`, which checks a folder of `evidence`. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['evidence', 'verify'])
    .description('Check a folder of evidence: play its histories again and compare.')
    .argument('<dir>', 'the folder that evidence has written')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', AFTER);
  command.action(async (folder: string) => {
    // The parent command has a flag of this name as well.
    const isJson = command.optsWithGlobals().json === true;
    const differences = await verifyFolder(folder, progress);
    const verified = differences.length === 0;
    if (isJson) await printResult(printable(JSON.stringify({ verified, differences })));
    else await printResult(verified ? 'verified' : differences.map(printable).join('\n'));
    if (!verified)
      throw new Exit(FAILED, 'the folder is not as evidence has written it; differences say where');
  });
};

/** The wall clock is never waited for: the histories have no such steps. */
const WALL_CLOCK = { sleep: () => Promise.resolve(), elapsed: () => performance.now() };

/** Returns what differs in a folder, one line each; empty when it is as evidence has written it. */
async function verifyFolder(folder: string, note: (message: string) => void): Promise<readonly string[]> {
  const text = (name: string) => readFileSync(regularFile(folder, name), 'utf8');
  const listed = readManifest(text(MANIFEST));
  const changed = compareDigests(listed, digestsIn(folder));
  if (changed.length > 0) return changed;
  const evidence = readOwn(join(folder, EVIDENCE_FILE), () => readEvidence(text(EVIDENCE_FILE)));
  const { cardSandbox } = evidence;
  if (cardSandbox !== VERSION) {
    return [
      `${EVIDENCE_FILE}: cardSandbox: was written by ${cardSandbox}, and this is ${VERSION}; check it with npx card-sandbox@${cardSandbox} evidence verify`,
    ];
  }
  const unexpected = unexpectedFiles(evidence, listed.keys());
  if (unexpected.length > 0) return unexpected;
  const differences = [
    ...contradictionsIn(evidence),
    ...(text(REPORT_FILE) === writeReport(evidence, () => null)
      ? []
      : [`${REPORT_FILE}: is not the report of ${EVIDENCE_FILE}`]),
  ];
  const runs = new Runs(folder, note);
  return [...differences, ...(await runs.compare(evidence))];
}

function regularFile(folder: string, name: string): string {
  const file = join(folder, name);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined)
    throw new Error(`${file}: is missing; evidence verify checks folders that evidence has written`);
  if (!stats.isFile()) throw new Error(`${file}: is not a regular file; evidence writes no links`);
  return file;
}

/** Returns what `read` returns. Throws its error with the file. */
function readOwn<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

const RUN_FILE =
  /^runs\/([^/]+)\/[1-9]\d*-[a-z\d][\w-]*\/(?:start\.json|options\.json|history\.yaml|deliveries\.json)$/i;

/** Returns the files that evidence would not have written. */
function unexpectedFiles({ exam }: EvidenceFile, paths: Iterable<string>): string[] {
  const runs = [BASELINE, ...REPEATED_BASELINES, ...exam.results.map(({ id }) => id)];
  return [...paths]
    .filter(path => path !== EVIDENCE_FILE && path !== REPORT_FILE)
    .filter(path => !runs.includes(RUN_FILE.exec(path)?.[1] ?? ''))
    .map(path => `${path}: evidence writes no such file`);
}

/** Returns where members of the evidence contradict each other. */
function contradictionsIn({ exam }: EvidenceFile): string[] {
  const { results, summary, causes, baseline } = exam;
  const place = `${EVIDENCE_FILE}: exam`;
  const count = (verdict: string) => results.filter(each => each.verdict === verdict).length;
  const counts = {
    survived: count('survived'),
    broke: count('broke'),
    appliedTwice: count('applied-twice'),
    accepted: count('accepted'),
    notExercised: count('not-exercised'),
  };
  const ids = results.map(({ id }) => id);
  const found = results.filter(isFinding).map(({ id }) => id);
  const explained = causes.flatMap(cause => cause.results);
  return [
    ...Object.entries(counts).flatMap(([name, number]) => {
      const stated = summary[name as keyof typeof counts];
      return stated === number
        ? []
        : [`${place}.summary.${name}: is ${stated}, and the results have ${number}`];
    }),
    ...(new Set(ids).size === ids.length ? [] : [`${place}.results: has a misbehaviour twice`]),
    ...(baseline === 'passed' || results.length === 0
      ? []
      : [`${place}.results: there is no exam of a command that failed`]),
    ...(found.toSorted().join() === explained.toSorted().join()
      ? []
      : [`${place}.causes: does not name each finding of the results once`]),
  ];
}

/** A run that was played again. */
interface PlayedRun {
  readonly record: RunRecord;
  readonly sightings: readonly Sighted[];
}

/** The runs in a folder. */
class Runs {
  readonly #folder: string;
  readonly #note: (message: string) => void;
  readonly #differences: string[] = [];

  constructor(folder: string, note: (message: string) => void) {
    this.#folder = folder;
    this.#note = note;
  }

  /** Plays all runs again, and returns what differs. */
  async compare({ conditions, exam }: EvidenceFile): Promise<readonly string[]> {
    const baseline = await this.#play(BASELINE, {});
    if (baseline === null) return [`${RUNS_FOLDER}/${BASELINE}: is missing`];
    this.#compareConditions(conditions, baseline);
    const history = baseline.record.wholeHistory;
    const compareWith = comparisonWith(baseline.record, async subject => {
      const again = await this.#play(subject, {});
      // Without it there was no double, or one of the others was different.
      return (again ?? baseline).record;
    });
    const isStopped = exam.results.some(isFinding);
    for (const { id, kind, verdict, detail } of exam.results) {
      const place = `${EVIDENCE_FILE}: exam.results: ${id}`;
      const misbehaviour = catalogue.find(each => each.id === id) ?? parseCombination(id);
      if (misbehaviour === null || misbehaviour.kind !== kind) {
        this.#differences.push(`${place}: there is no ${kind} misbehaviour with this id`);
        continue;
      }
      const disturbance = misbehaviour.disturb(history);
      const isReason = typeof disturbance === 'string';
      const played = await this.#play(id, isReason ? {} : disturbance);
      if (isReason) {
        if (played !== null || verdict !== 'not-exercised' || detail !== disturbance) {
          this.#differences.push(
            `${place}: is ${verdict}, and by the history it is not-exercised: ${disturbance}`,
          );
        }
        continue;
      }
      if (played === null) {
        const isPossible = verdict === 'not-exercised' && NO_RUN.test(detail);
        if (!isPossible || (detail.startsWith('not run') && !isStopped)) {
          this.#differences.push(`${RUNS_FOLDER}/${id}: is missing, and the result is ${verdict}`);
        }
        continue;
      }
      const possible = await Promise.all(
        [0, 1].map(code => judgeRun(misbehaviour, disturbance, finished(played.record, code), compareWith)),
      );
      if (!possible.some(each => each.verdict === verdict)) {
        const [passed, failed] = possible.map(each => each.verdict);
        const by = passed === failed ? passed : `${passed} or ${failed}`;
        this.#differences.push(`${place}: is ${verdict}, and by the history it is ${by}`);
      }
    }
    return this.#differences;
  }

  #compareConditions(stated: EvidenceFile['conditions'], { sightings }: PlayedRun): void {
    const { conditions } = coverageOfSightings(sightings);
    const place = `${EVIDENCE_FILE}: conditions`;
    if (stated.map(({ id }) => id).join('\n') !== conditions.map(({ id }) => id).join('\n')) {
      this.#differences.push(`${place}: are not those of the interface`);
      return;
    }
    for (const [index, { count, firstAt, ...rest }] of conditions.entries()) {
      const other = stated[index];
      const isSame = Object.entries(rest).every(
        ([name, value]) => other?.[name as keyof typeof rest] === value,
      );
      if (!isSame) this.#differences.push(`${place}: ${rest.id}: is not described as in the interface`);
      else if (other?.count !== count) {
        this.#differences.push(
          `${place}: ${rest.id}: count: is ${other?.count}, and by the history it is ${count}`,
        );
      } else if ((other.firstAt === null) !== (firstAt === null)) {
        this.#differences.push(
          `${place}: ${rest.id}: firstAt: is ${other.firstAt}, and the count is ${count}`,
        );
      }
    }
  }

  /** Plays the histories of a run again, or returns null when there is none. */
  async #play(subject: string, disturbance: Disturbance): Promise<PlayedRun | null> {
    const folder = join(this.#folder, RUNS_FOLDER, subject);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    const record = new RunRecord();
    const sightings: Sighted[] = [];
    const names = readdirSync(folder).toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
    for (const [index, name] of names.entries()) {
      const world = name.slice(name.indexOf('-') + 1);
      if (name !== bundleName(index, world)) {
        this.#differences.push(`${RUNS_FOLDER}/${subject}: ${bundleName(index, world)} is missing`);
      }
      const bundle = readBundle(join(folder, name), EVIDENCE_BUNDLES);
      addStart(bundle, record);
      const attendance = new Attendance(disturbance, record, null, world === 'main' ? 'main' : '');
      await this.#playBundle(bundle, attendance, sightings);
    }
    this.#note(`played ${subject} again`);
    return { record, sightings };
  }

  async #playBundle(bundle: Bundle, attendance: Attendance, sightings: Sighted[]): Promise<void> {
    const sandbox = await openBundle(bundle, {
      ...hooksOf(attendance),
      onSighting: sighted => sightings.push(sighted),
    });
    try {
      attendance.attach(attendedSandbox(sandbox.core, ''));
      const { scenario } = bundle;
      const stage = {
        api: sandbox.client,
        apiKey: sandbox.apiKey,
        control: sandbox.client,
        inbox: 'a history has no receiver',
        wallClock: WALL_CLOCK,
      };
      const report = await playScenario(scenario, stage, { keepGoing: true, run: 'evidence', variables: {} });
      for (const { at, status, reason, differences } of report.steps) {
        if (status === 'passed') continue;
        const [first] = differences;
        this.#differences.push(`${at}: ${first === undefined ? reason : differenceText(first)}`);
      }
    } finally {
      await sandbox.close();
    }
  }
}

/** Why a misbehaviour that can be triggered has no run. */
const NO_RUN = /^(?:not run, because the exam stopped|it could not be set up: )/;

/** Notes how the clock of a run started. */
function addStart({ options, scenario }: Bundle, record: RunRecord): void {
  const { clock, kycDelay } = options;
  noteOwnOptions({ clock, kycDelay: kycDelay === OPTIONS.kycDelay.initial ? undefined : kycDelay }, record);
  if (scenario.steps.some(({ control }) => control?.startsWith('POST /clock/freeze'))) record.addFreeze();
}

function finished(record: RunRecord, code: number): FinishedRun {
  return { record, code, isTimedOut: false, output: '', durationMs: 0 };
}
