import {
  existsSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { FileLock } from '../../../src/sandbox/state/file-lock.ts';
import { manualTime } from '../../support/manual-time.ts';
import { temporaryFolder } from '../fixtures/fixture-files.ts';

/** Process ids end below this number on every system. */
const NO_PROCESS = 2 ** 30;

/** Takes a file with this text in its lock. Resolves with what the lock says then. */
function take(path: string, before?: string) {
  const file = `${path}.lock`;
  if (before !== undefined) writeFileSync(file, before);
  const { realTime, pass } = manualTime();
  const lock = FileLock.take(path, realTime);
  onTestFinished(() => lock.release());
  return { lock, file, pass, now: realTime.now, owner: JSON.parse(readFileSync(file, 'utf8')) };
}

/** The error that a lock is refused with. */
function refusalOf(path: string, before?: string): string {
  try {
    take(path, before);
  } catch (error) {
    return String(error);
  }
  throw new Error('the lock was taken');
}

const newPath = () => join(realpathSync(temporaryFolder()), 'world.json');
/** Where the process ids of this process are valid. */
const namespace = process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : null;
const ownerOf = (pid: number, startedAt: string | null = null, machine = hostname()) =>
  JSON.stringify({ pid, machine, namespace, startedAt });

test('a lock names the process and its machine, and goes when it is released', () => {
  const { lock, file, owner } = take(newPath());
  expect(owner).toMatchObject({ pid: process.pid, machine: hostname() });
  lock.release();
  expect(existsSync(file)).toBe(false);
});

test('a lock that was released before does not let go of the file that another one has', () => {
  const path = newPath();
  const { lock } = take(path);
  lock.release();
  const { file } = take(path);
  lock.release();
  expect(existsSync(file)).toBe(true);
  expect(() => take(path)).toThrow('is used by this process');
});

test('a lock is kept alive: its file has the time of a moment ago', () => {
  const { file, pass, now } = take(newPath());
  pass(60_000);
  expect(now() - statSync(file).mtimeMs).toBeLessThan(10_000);
});

test('a lock that another process has taken over is neither kept alive nor removed', () => {
  const path = newPath();
  const { lock, file, pass } = take(path);
  const other = ownerOf(NO_PROCESS);
  writeFileSync(file, other);
  const { mtimeMs } = statSync(file);
  pass(60_000);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  expect(() => lock.check()).toThrow('another process has taken the file over');
  lock.release();
  expect(readFileSync(file, 'utf8')).toBe(other);
});

test('a lock that somebody has removed is made again', () => {
  const { lock, file } = take(newPath());
  rmSync(file);
  lock.check();
  expect(existsSync(file)).toBe(true);
});

test('a link to nothing in the place of the lock is replaced', () => {
  const path = newPath();
  symlinkSync(`${path}.nothing`, `${path}.lock`);
  expect(take(path).owner).toMatchObject({ pid: process.pid });
});

test.runIf(process.platform === 'linux')('a lock says when its process was started', () => {
  const { owner } = take(newPath());
  const stat = readFileSync('/proc/self/stat', 'utf8');
  expect(owner.startedAt).toBe(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
});

test.each([
  ['a process that has ended', ownerOf(NO_PROCESS)],
  ['an earlier process with the id of this one', ownerOf(process.pid, 'earlier')],
  ['an earlier process with the id of one that runs', ownerOf(process.ppid, 'earlier')],
  ['a process that ended while it wrote the lock', '{"pid": 1'],
  ['a process that ended before it wrote the lock', ''],
  ['nobody', '{"pid": "1"}'],
])('the lock of %s is replaced', (_, before) => {
  expect(take(newPath(), before).owner.pid).toBe(process.pid);
});

test('the lock of a process that runs is kept, and the refusal names it and the way out', () => {
  const path = newPath();
  const file = `${path}.lock`;
  expect(refusalOf(path, ownerOf(process.ppid))).toBe(
    `StateFileError: --state ${path}: is used by the process with the pid ${process.ppid}; stop it first, or name another file. If that process is not a card-sandbox, remove ${file}`,
  );
  expect(readFileSync(file, 'utf8')).toBe(ownerOf(process.ppid));
});

test.each([
  [
    'of another machine',
    ownerOf(NO_PROCESS, null, 'other-host'),
    `the pid ${NO_PROCESS} of other-host; stop it`,
  ],
  [
    'in a container with the name of this machine and the id of this process',
    JSON.stringify({ pid: process.pid, machine: hostname(), namespace: 'pid:[1]', startedAt: '1' }),
    `the pid ${process.pid}; stop it`,
  ],
])('the lock of a process %s is kept while it shows that it runs', async (_, elsewhere, named) => {
  const path = newPath();
  const file = `${path}.lock`;
  writeFileSync(file, elsewhere);
  const beating = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
    let beats = 0;
    const beat = () => require('node:fs').utimesSync(workerData, ++beats, beats);
    beat();
    setInterval(beat, 5);
    parentPort.postMessage('it beats');`,
    { eval: true, workerData: file },
  );
  onTestFinished(async () => void (await beating.terminate()));
  await new Promise(resolve => beating.once('message', resolve));
  expect(refusalOf(path)).toContain(`is used by the process with ${named}`);
  expect(readFileSync(file, 'utf8')).toBe(elsewhere);
});
