import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { VERSION } from '../../../../src/core/operation/version.ts';
import { CLI_PROGRAM } from '../../../support/cli-process.ts';
import { isFullRun } from '../../../support/proof/proof-size.ts';
import { startSandbox } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { type Job, jestJob, pytestJob, vitestJob } from './failing-jobs.ts';

/** A partner that only the machine of the job knows. Its jobs fail because the sandbox refuses a card. */
const FIXTURE = `
partners:
  - id: partner_own
    name: Own
    apiKey: sk_test_own_0123456789abcdef
cardPrograms: [{ id: prog_own, name: Own }]
cardholders: [{ id: ch_own, externalUserId: own, email: own@example.com, kycStatus: rejected }]
`;
const FROZEN = ['--clock', '2026-03-15T10:00:00Z', '--freeze', '--seed', '7'];
const LINE = /```sh\n(.*)\n```/;

async function emptyFolder(): Promise<string> {
  return dirname(await temporaryFile('x'));
}

/** A folder whose `npx` runs this build, as an installed package would. */
async function folderWithNpx(): Promise<string> {
  const folder = await emptyFolder();
  await writeFile(
    join(folder, 'npx'),
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${CLI_PROGRAM}" "$@"\n`,
  );
  await chmod(join(folder, 'npx'), 0o755);
  return folder;
}

/** Runs a command of the command line in a folder. */
async function cli(folder: string, words: readonly string[], variables = {}) {
  return finished(
    promisify(execFile)(process.execPath, [CLI_PROGRAM, ...words], {
      cwd: folder,
      timeout: 60_000,
      env: { ...process.env, NO_COLOR: '1', ...variables },
    }),
  );
}

/** Resolves with what a process printed and its exit code, whatever that is. */
function finished(running: Promise<{ stdout: string; stderr: string }>) {
  return running.then(
    printed => ({ ...printed, code: 0 }),
    error => ({ code: Number(error.code), stdout: String(error.stdout), stderr: String(error.stderr) }),
  );
}

/** What a command listed on standard error when it ended: refused requests with their ids, statuses and reasons. */
function findings(stderr: string): string[] {
  const lines = stderr.split('\n');
  return lines
    .slice(lines.indexOf('Refused requests'))
    .filter(line => /^ {2}\d{3} [A-Z]+ \/v1|^ {6}\S/.test(line));
}

/** Copies a folder of artifacts alone to another folder and runs the command line of its summary there. */
async function repeatElsewhere(folder: string, name: string) {
  const elsewhere = await emptyFolder();
  await cp(join(folder, name), join(elsewhere, name), { recursive: true });
  const [, line = ''] = LINE.exec(await readFile(join(elsewhere, name, 'summary.md'), 'utf8')) ?? [];
  const PATH = `${await folderWithNpx()}${delimiter}/usr/bin${delimiter}/bin`;
  const { code, stdout, stderr } = await finished(
    promisify(execFile)('sh', ['-c', line], {
      cwd: elsewhere,
      env: { PATH, NO_COLOR: '1' },
      timeout: 60_000,
    }),
  );
  expect(code, stdout + stderr).toBe(0);
  expect(await readdir(elsewhere)).toEqual([name]);
  return { line, stdout, stderr };
}

const JOBS: Readonly<Record<string, () => Promise<Job | string>>> = {
  Vitest: vitestJob,
  'Jest in CommonJS': jestJob,
  pytest: pytestJob,
};

/** The flags of `exec` by where the job runs. */
const PLACES: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  'on a frozen clock': async () => FROZEN,
  'on a running clock': async () => ['--kyc-delay', '300ms'],
  'in a world with a running clock': async () => {
    const { origin } = await startSandbox({ freeze: false });
    return ['--on', origin, '--kyc-delay', '300ms'];
  },
};

const CASES = Object.keys(JOBS).flatMap(tool => Object.keys(PLACES).map(place => [tool, place] as const));
/** One of each tool, and one of each place. */
const TRIED = CASES.filter((_, index) => isFullRun || index % 4 === 0);

test.each(TRIED)(
  'the folder of a failed job of %s %s brings its failure back on another machine with one command',
  async (tool, place) => {
    const job = (await JOBS[tool]?.()) ?? 'no such job';
    if (typeof job === 'string') {
      console.warn(job);
      return;
    }
    const folder = await emptyFolder();
    await writeFile(join(folder, 'own.yaml'), FIXTURE);
    await mkdir(join(folder, 'project'));
    for (const [file, text] of Object.entries(job.files))
      await writeFile(join(folder, 'project', file), text);
    if (job.modules !== null) {
      await symlink(job.modules, join(folder, 'project', 'node_modules'), 'junction');
    }
    const flags = [
      ...((await PLACES[place]?.()) ?? []),
      '--fixtures',
      'own.yaml',
      '--artifacts',
      "it's kept",
    ];
    const failed = await cli(folder, ['exec', ...flags, '--', ...job.command(join(folder, 'project'))]);
    expect(failed.code, failed.stdout + failed.stderr).toBe(1);
    expect(failed.stdout + failed.stderr).toContain(job.complaint);
    const refused = findings(failed.stderr);
    expect(refused).toEqual([
      expect.stringMatching(/^ {2}400 POST \/v1\/partner\/cards \(req_\w+\)$/),
      expect.stringContaining('ch_own'),
    ]);

    const again = await repeatElsewhere(folder, "it's kept");
    expect(again.line).toBe(`npx card-sandbox@${VERSION} run "it's kept"`);
    const [, same, of] = /^reproduced: (\d+) of (\d+) responses are the same$/m.exec(again.stdout) ?? [];
    expect(same, again.stdout).toBe(of);
    // Two to begin with, at least one that finds the KYC approved, and two cards.
    expect(Number(of)).toBeGreaterThanOrEqual(5);
    expect(findings(again.stderr)).toEqual(refused);
  },
);
