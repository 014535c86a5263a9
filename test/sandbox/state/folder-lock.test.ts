import { existsSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { FolderLock } from '../../../src/sandbox/state/folder-lock.ts';
import { manualTime } from '../../support/manual-time.ts';
import { temporaryFolder } from '../fixtures/fixture-files.ts';

/** Process ids end below this number on every system. */
const NO_PROCESS = 2 ** 30;

/** Takes a folder with this text in its lock. Resolves with what the lock says then. */
function take(folder: string, before?: string) {
  const file = join(folder, '.lock');
  if (before !== undefined) writeFileSync(file, before);
  const lock = FolderLock.take(folder, manualTime().realTime);
  onTestFinished(() => lock.release());
  return { lock, file, owner: JSON.parse(readFileSync(file, 'utf8')) };
}

/** The error that a lock is refused with. */
function refusalOf(folder: string, before?: string): string {
  try {
    take(folder, before);
  } catch (error) {
    return String(error);
  }
  throw new Error('the lock was taken');
}

const newFolder = () => realpathSync(temporaryFolder());
const ownerOf = (pid: number, startedAt: string | null = null) =>
  JSON.stringify({ pid, machine: hostname(), startedAt });

test('a lock names the process and its machine, and goes when it is released', () => {
  const { lock, file, owner } = take(newFolder());
  expect(owner).toMatchObject({ pid: process.pid, machine: hostname() });
  lock.release();
  expect(existsSync(file)).toBe(false);
});

test('a lock that was released before does not let go of the folder that another one has', () => {
  const folder = newFolder();
  const { lock } = take(folder);
  lock.release();
  const { file } = take(folder);
  lock.release();
  expect(existsSync(file)).toBe(true);
  expect(() => take(folder)).toThrow('is used by this process');
});

test('a link to nothing in the place of the lock is replaced', () => {
  const folder = newFolder();
  symlinkSync(join(folder, 'nothing'), join(folder, '.lock'));
  expect(take(folder).owner).toMatchObject({ pid: process.pid });
});

test.runIf(process.platform === 'linux')('a lock says when its process was started', () => {
  const { owner } = take(newFolder());
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
  expect(take(newFolder(), before).owner.pid).toBe(process.pid);
});

test('the lock of a process that runs is kept, and the refusal names it and the way out', () => {
  const folder = newFolder();
  const file = join(folder, '.lock');
  expect(refusalOf(folder, ownerOf(process.ppid))).toBe(
    `StateFileError: --state ${folder}: is used by the process with the pid ${process.ppid}; stop it first, or name another folder. If that process is not a card-sandbox, remove ${file}`,
  );
  expect(readFileSync(file, 'utf8')).toBe(ownerOf(process.ppid));
});

test('the lock of another machine is kept while its process shows that it runs', async () => {
  const folder = newFolder();
  const file = join(folder, '.lock');
  const elsewhere = JSON.stringify({ pid: NO_PROCESS, machine: 'other-host', startedAt: null });
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
  expect(refusalOf(folder)).toContain(
    `is used by the process with the pid ${NO_PROCESS} of other-host; stop it`,
  );
  expect(readFileSync(file, 'utf8')).toBe(elsewhere);
});

test('a folder that this process has is refused to itself', () => {
  const folder = newFolder();
  take(folder);
  expect(refusalOf(folder)).toBe(
    `StateFileError: --state ${folder}: is used by this process (pid ${process.pid}); stop it first, or name another folder`,
  );
});
