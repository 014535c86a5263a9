import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import type { Command } from 'commander';
import { VERSION } from '../../../core/operation/version.ts';
import { redactText } from '../../../core/redaction/redact.ts';
import { INTERFACE_VERSION } from '../../../core/values/plane.ts';
import { shellWord } from '../../../core/values/text.ts';
import { OPTIONS } from '../../../sandbox/options.ts';
import { readProfile } from '../../../sandbox/profile.ts';
import { type NotePlaces, readSightings } from '../../../server/in-process/command-notes.ts';
import { type EvidenceFile, writeEvidence } from '../../../tools/evidence/evidence-file.ts';
import { MANIFEST, writeManifest } from '../../../tools/evidence/manifest.ts';
import { writeReport } from '../../../tools/evidence/report.ts';
import { BASELINE, type Findings, jsonReport, type RunSubject } from '../../../tools/exam/exam.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { Exit, FAILED } from '../../errors.ts';
import { progress } from '../../output/print.ts';
import { type ExamFlags, examFlags, examine, list, report } from '../exam/exam.ts';
import { coverageOfSightings } from '../exec/coverage.ts';
import { writeBundles } from './run-bundles.ts';

/** The file with the conditions and the verdicts. */
export const EVIDENCE_FILE = 'evidence.json';
/** The report for people. */
export const REPORT_FILE = 'report.html';
/** The folder with the histories of the runs. */
export const RUNS_FOLDER = 'runs';

interface EvidenceFlags extends ExamFlags {
  readonly out?: string;
}

const FOUND = 'the command failed, or the exam found something; report.html of the folder says what';

const AFTER = `
Runs the command once, counts the conditions of the interface that it shows, and then examines it as exam does. Writes
one folder that a reviewer can check: evidence.json, the history of each run, report.html and MANIFEST. The folder has no
secrets, no card numbers and no API keys but the published ones. It is written whether or not the command passes.

The exit code is 0 when the command passed and the exam found nothing, besides what --baseline names.
card-sandbox evidence verify plays the histories again and compares.
${examples('evidence --out evidence -- npm test', 'evidence --out evidence --parallel 4 -- npm test', 'evidence verify evidence')}`;

/** Adds `evidence`, which writes what an integration was tried against to a folder. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['evidence'])
    .description('Write what a command was tried against to a folder that a reviewer can check.')
    .usage('--out <dir> [options] -- <command...>')
    .argument('[command...]', 'the command and its arguments, after --')
    .option('--out <dir>', 'the folder to write, which must be empty or missing');
  examFlags(command)
    .showHelpAfterError('(card-sandbox evidence --help shows its usage; the command goes after --)')
    .addHelpText('after', AFTER)
    .action((words: readonly string[], flags: EvidenceFlags) =>
      flags.list ? list(flags) : evidence(words, flags, command),
    );
};

async function evidence(words: readonly string[], flags: EvidenceFlags, command: Command): Promise<void> {
  const { out, ...examination } = flags;
  if (out === undefined) command.error("error: required option '--out <dir>' not specified");
  const folder = resolve(out ?? '');
  await createEmptyFolder(folder, out ?? '');
  const startedAt = new Date();
  const started = performance.now();
  // Secrets come from the seed as well, so that each machine gets the same responses.
  const seed = flags.seed ?? OPTIONS.seed.initial;
  const notes = await mkdtemp(join(tmpdir(), 'card-sandbox-evidence-'));
  try {
    const keeper = new RunFolders(notes, folder);
    const examined = await examine(words, { ...examination, seed }, command, keeper);
    const content: EvidenceFile = {
      cardSandbox: VERSION,
      interface: INTERFACE_VERSION,
      seed,
      profile: profileOf(flags.profile),
      conditions: [...keeper.conditions],
      exam: steadyReport(examined.findings),
      environment: {
        command: redactText(words.map(shellWord).join(' ')),
        startedAt: startedAt.toISOString(),
        durationMs: Math.round(performance.now() - started),
        node: process.versions.node,
        platform: process.platform,
        arch: process.arch,
      },
    };
    const text = writeEvidence(content);
    await writeFile(join(folder, EVIDENCE_FILE), text);
    await writeFile(
      join(folder, REPORT_FILE),
      writeReport(content, () => null),
    );
    await writeFile(join(folder, MANIFEST), writeManifest(digestsIn(folder)));
    await report(
      examined,
      { ...(flags.junit !== undefined && { junit: flags.junit }) },
      flags.json ? text.trimEnd() : undefined,
    );
    progress(`wrote the evidence to ${out}; card-sandbox evidence verify ${shellWord(out ?? '')} checks it`);
    if (!examined.isPassed) throw new Exit(FAILED, FOUND);
  } finally {
    await rm(notes, { recursive: true, force: true });
  }
}

async function createEmptyFolder(folder: string, name: string): Promise<void> {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory())
    throw new Error(`--out ${name}: is not a folder; name another one`);
  if (stats !== undefined && readdirSync(folder).length > 0) {
    throw new Error(`--out ${name}: the folder is not empty; name a new one, so that nothing else is in it`);
  }
  await mkdir(folder, { recursive: true });
}

/** Writes the history of each run to its folder, and reads the conditions of the undisturbed one. */
class RunFolders {
  readonly #notes: string;
  readonly #out: string;
  #runs = 0;
  conditions: EvidenceFile['conditions'] = [...coverageOfSightings([]).conditions];

  constructor(notes: string, out: string) {
    this.#notes = notes;
    this.#out = out;
  }

  async placesOf(): Promise<NotePlaces> {
    this.#runs += 1;
    const logs = join(this.#notes, String(this.#runs));
    await mkdir(logs);
    return { logs, coverage: join(logs, 'sightings') };
  }

  async keep(subject: RunSubject, { logs = '', coverage = '' }: NotePlaces): Promise<void> {
    if (subject === BASELINE) {
      const text = lstatSync(coverage, { throwIfNoEntry: false }) ? readFileSync(coverage, 'utf8') : '';
      this.conditions = [...coverageOfSightings(readSightings(text)).conditions];
    }
    const folder = join(this.#out, RUNS_FOLDER, subject);
    // A misbehaviour that was not triggered is tried again.
    await rm(folder, { recursive: true, force: true });
    await writeBundles(logs, folder);
    await rm(logs, { recursive: true });
  }
}

/** Returns what a profile sets, or null without one. */
function profileOf(file: string | undefined): EvidenceFile['profile'] {
  if (file === undefined) return null;
  const { names = {}, assume = {} } = readProfile(file);
  return JSON.parse(JSON.stringify({ names, assume }));
}

/** Returns the SHA-256 of each file below a folder but its manifest, by path. Throws an error for anything but files. */
export function digestsIn(folder: string, below = ''): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  for (const name of readdirSync(join(folder, below)).toSorted()) {
    const path = posix.join(below, name);
    const stats = lstatSync(join(folder, path));
    if (stats.isDirectory()) {
      for (const [file, digest] of digestsIn(folder, path)) digests.set(file, digest);
    } else if (!stats.isFile()) {
      throw new Error(`${join(folder, path)}: is not a regular file; evidence writes no links`);
    } else if (path !== MANIFEST) {
      const content = readFileSync(join(folder, path));
      digests.set(path, createHash('sha256').update(content).digest('hex'));
    }
  }
  return digests;
}

/** What is different each time in what a command prints: ports of this machine, process ids and durations. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\b(127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b/g, '$1:PORT'],
  [/\b(\w*port|pid)(\W{1,4})\d+/gi, '$1$2N'],
  [/\b\d+(?:\.\d+)?( ?m?s)\b/g, 'N$1'],
];

/**
 * Returns the report without secrets, and without what is different on each machine: folders, ports, and the order of
 * requests and webhooks around a misbehaviour, which the history of its run has.
 */
function steadyReport({ results, ...rest }: Findings): EvidenceFile['exam'] {
  const content = jsonReport({ ...rest, results: results.map(each => ({ ...each, happenings: [] })) });
  const folders = [process.cwd(), tmpdir(), homedir()].filter(each => each.length > 1);
  const names = ['.', '<tmp>', '~'];
  const clean = (text: string) => {
    const neutral = folders.reduce((all, each, index) => all.replaceAll(each, names[index] ?? ''), text);
    return redactText(VARYING.reduce((all, [pattern, by]) => all.replace(pattern, by), neutral));
  };
  // Texts in JSON stay texts in JSON.
  return JSON.parse(JSON.stringify(content, (_, each) => (typeof each === 'string' ? clean(each) : each)));
}
