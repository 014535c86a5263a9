import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { writeReport } from '../../../src/tools/evidence/report.ts';
import { copyOf, filesIn, verify, writeManifest } from '../../cli/commands/evidence/support/folders.ts';
import { coverageTable, withTable } from '../../docs/tables.ts';
import { CLI_PROGRAM } from '../../support/cli-process.ts';
import { isFullRun, PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import type { Json } from '../../support/sandbox.ts';
import { APPS, copyApp, isInstalled } from '../../tools/exam/apps/apps.ts';
import { runTests } from '../../tools/exam/apps/run-exam.ts';
import { NODES, nodeProgram } from './install.ts';

const FOLDERS = size(1, 100);
const TAMPERED = size(8, 200);
const DOCUMENT = join(import.meta.dirname, '../../../docs/go-live.md');
/** How many folders are written at once: their commands wait most of the time. */
const AT_ONCE = 4;
/** Each folder has two of them: benign and malign, of requests, responses, webhooks and the clock. */
const MISBEHAVIOURS = [
  ...['webhooks-twice', 'signature-missing', 'error-500-before', 'names-unusual', 'rate-limited'],
  ...['webhook-fields-unknown', 'body-tampered', 'error-503-after', 'clock-leap-day', 'timestamp-old'],
];

let folder: string;
/** The folders that `evidence` has written. */
const written: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'card-sandbox-evidence-'));
  return () => rm(folder, { recursive: true, force: true });
});

/** Runs the package with a version of Node.js. Resolves with its exit code and its output. */
async function run(version: (typeof NODES)[number], words: readonly string[], cwd: string): Promise<string> {
  const ended = await promisify(execFile)(nodeProgram(version), [CLI_PROGRAM, ...words], { cwd }).catch(
    (error: { code: number; stdout: string }) => error,
  );
  return `${'code' in ended ? ended.code : 0} ${ended.stdout}`;
}

/** Writes the evidence of the sample app for Node.js, sound or with one of its planted bugs. */
async function writeFolder(index: number): Promise<string> {
  const version = NODES[index % NODES.length] ?? '20';
  const [app] = APPS;
  if (app === undefined) throw new Error('there is no sample app');
  const bug = app.bugs[(index % (app.bugs.length + 1)) - 1] ?? null;
  const copy = copyApp(app, bug);
  const out = join(folder, String(index));
  const first = index % MISBEHAVIOURS.length;
  const only = [first, (first + 3) % MISBEHAVIOURS.length].flatMap(place => MISBEHAVIOURS[place] ?? []);
  const seed = ['--seed', String(index), '--kyc-delay', '200ms'];
  const command = ['--', nodeProgram(version), '--test'];
  await run(version, ['evidence', '--out', out, '--only', ...only, ...seed, ...command], copy.folder);
  copy.remove();
  return out;
}

test(
  'the tests of the sample apps show as many conditions as docs/go-live.md says',
  async () => {
    const document = readFileSync(DOCUMENT, 'utf8');
    const rows: string[] = [];
    for (const app of APPS) {
      const old = document.split('\n').filter(line => line.startsWith(`| \`${app.name}\` |`));
      // A short run measures again what the full one has measured.
      if (!isInstalled(app) || (!isFullRun && old.length === 0)) {
        rows.push(...old);
        continue;
      }
      const copy = copyApp(app, null);
      const file = join(folder, `${app.name}.json`);
      await runTests(['exec', '--allow-http-webhooks', `--coverage=${file}`], app.command, copy.folder);
      copy.remove();
      const table = coverageTable('Sample app', [
        [`\`${app.name}\``, JSON.parse(await readFile(file, 'utf8'))],
      ]);
      rows.push(...table.split('\n').slice(-1));
    }
    const [head = '', line = ''] = coverageTable('Sample app', []).split('\n');
    const updated = withTable(
      document,
      'samples',
      [head, line, ...rows].join('\n'),
      'npm run prove -- evidence',
    );
    if (isFullRun) writeFileSync(DOCUMENT, updated);
    else expect(document).toBe(updated);
  },
  PROOF_TIMEOUT_MS,
);

test(
  'folders of evidence that any of Node.js 20, 22, 24 and 26 has written are verified by each of them',
  async context => {
    const rest = Array.from({ length: FOLDERS }, (_, index) => index).values();
    const work = async () => {
      for (const index of rest) {
        const out = await writeFolder(index);
        written[index] = out;
        for (const version of NODES) {
          const result = await run(version, ['evidence', 'verify', out], folder);
          expect(result, `folder ${index}, Node.js ${version}`).toBe('0 verified\n');
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    recordResult(context, `${FOLDERS} folders, ${FOLDERS * NODES.length} times verified`);
  },
  PROOF_TIMEOUT_MS,
);

/** Changes a copy of a folder. `pick` chooses one of several. */
type Tamper = (copy: string, pick: <T>(list: readonly T[]) => T) => Promise<void>;

/** Changes `evidence.json`, and whatever else would give it away. */
async function rewrite(copy: string, change: (content: Json) => void): Promise<void> {
  const file = join(copy, 'evidence.json');
  const content = JSON.parse(await readFile(file, 'utf8'));
  change(content);
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
  await writeFile(
    join(copy, 'report.html'),
    writeReport(content, () => null),
  );
  await writeManifest(copy);
}

/** The member of the summary that counts a verdict. */
const COUNTERS: Readonly<Record<string, string>> = {
  survived: 'survived',
  broke: 'broke',
  'applied-twice': 'appliedTwice',
  accepted: 'accepted',
  'not-exercised': 'notExercised',
};

const HOSTILE_OPTIONS = {
  handlers: '/tmp/handlers.js',
  state: '/tmp/state.json',
  host: '0.0.0.0',
  port: 80,
  egress: 'any',
  webhookCa: '/etc/passwd',
  fixtures: ['/etc/passwd'],
  insecureWebhookTls: true,
  trustProxy: true,
};

const TAMPERS: Readonly<Record<string, Tamper>> = {
  async byte(copy, pick) {
    const file = pick(await filesIn(copy));
    const bytes = await readFile(file);
    const place = pick([...bytes.keys()]);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    await writeFile(file, bytes);
  },
  verdict: (copy, pick) =>
    rewrite(copy, ({ exam }) => {
      const result = pick<Json>(exam.results);
      expect(result).toBeDefined();
      // Whether the command passed only its exit code says, so survived and broke are not told apart.
      const wasRun = result.verdict === 'survived' || result.verdict === 'broke';
      const verdict = wasRun ? pick(['not-exercised', 'accepted', 'applied-twice']) : 'survived';
      exam.summary[COUNTERS[result.verdict] ?? ''] -= 1;
      exam.summary[COUNTERS[verdict] ?? ''] += 1;
      const isFinding = !['survived', 'not-exercised'].includes(verdict);
      exam.causes = exam.causes
        .map((each: Json) => ({ ...each, results: each.results.filter((id: string) => id !== result.id) }))
        .filter((each: Json) => each.results.length > 0);
      if (isFinding) exam.causes.push({ title: 'A finding', results: [result.id], lines: [] });
      result.verdict = verdict;
    }),
  condition: (copy, pick) =>
    rewrite(copy, ({ conditions }) => {
      const condition = pick<Json>(conditions);
      condition.count += 1;
      condition.firstAt ??= '2026-03-15T10:00:00.000Z';
    }),
  async run(copy, pick) {
    const histories = (await filesIn(copy)).filter(file => file.endsWith('history.yaml'));
    await rm(join(pick(histories), '..'), { recursive: true });
    await writeManifest(copy);
  },
  async response(copy, pick) {
    const histories = (await filesIn(copy)).filter(file => file.endsWith('history.yaml'));
    const file = pick(histories);
    const history = parse(await readFile(file, 'utf8'));
    const { expect: expected } = pick<Json>(history.steps.filter((each: Json) => each.expect?.status > 0));
    expected.status = expected.status === 418 ? 200 : 418;
    await writeFile(file, stringify(history));
    await writeManifest(copy);
  },
  async link(copy, pick) {
    const file = pick(await filesIn(copy));
    const target = `${copy}-target`;
    await cp(file, target);
    await rm(file);
    await symlink(target, file);
  },
  async option(copy, pick) {
    const file = pick((await filesIn(copy)).filter(each => each.endsWith('options.json')));
    const [name, value] = pick(Object.entries(HOSTILE_OPTIONS));
    const content = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, `${JSON.stringify({ ...content, [name]: value }, null, 2)}\n`);
    await writeManifest(copy);
  },
  async extra(copy, pick) {
    const place = pick(['runs/run.sh', 'index.html', 'runs/baseline/1-main/handlers.js']);
    await writeFile(join(copy, place), 'echo');
    if (pick([true, false])) await writeManifest(copy);
  },
};

test(
  'every folder of evidence that was tampered with is refused',
  async context => {
    const kinds = Object.keys(TAMPERS);
    const missed: string[] = [];
    for (let index = 0; index < TAMPERED; index++) {
      const source = written[index % written.length] ?? '';
      const kind = kinds[index % kinds.length] ?? '';
      // A choice by the index, so that a failure can be repeated.
      const [places = []] = fc.sample(fc.array(fc.nat(), { minLength: 4, maxLength: 4 }), {
        seed: index,
        numRuns: 1,
      });
      const pick = <T>(list: readonly T[]): T => list[(places.shift() ?? 0) % list.length] as T;
      const copy = await copyOf(source);
      await TAMPERS[kind]?.(copy, pick);
      const { code, stdout, stderr } = await verify(copy);
      // A message says what is wrong, and nothing has crashed.
      if (code !== 1 || !/\w+: \S/.test(stdout + stderr) || /\bat .*:\d+:\d+/.test(stderr))
        missed.push(`${kind} ${index}: ${stdout}`);
      await rm(copy, { recursive: true });
    }
    expect(missed).toEqual([]);
    recordResult(context, `${TAMPERED} folders in ${kinds.length} ways, all found`);
  },
  PROOF_TIMEOUT_MS,
);
