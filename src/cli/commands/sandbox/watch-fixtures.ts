import { readFileSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isCode } from '../../../fixtures/define/build.ts';
import { FixtureError } from '../../../fixtures/file/problems.ts';
import { builtInNames } from '../../../fixtures/file/read.ts';
import type { SandboxCore } from '../../../sandbox/sandbox.ts';
import type { Log } from './start.ts';
import { UsageError } from '../../exit.ts';
import { failure } from '../../output/print.ts';

/** Editors write a file in several steps; this long after the last it is read. */
const QUIET_MS = 100;

/** Those of the fixtures that are files. Throws a UsageError when none is, and there is nothing to watch. */
export function filesToWatch(fixtures: readonly string[] = []): string[] {
  const builtIn = builtInNames();
  const files = fixtures.filter(each => !builtIn.includes(each));
  const code = files.find(isCode);
  if (code !== undefined) {
    throw new UsageError(
      `--watch follows YAML and JSON; ${code} is code, which Node loads once: start again`,
    );
  }
  if (files.length > 0) return files;
  throw new UsageError('--watch needs a fixture file to watch, and --fixtures names none');
}

/** Has a sandbox begin anew whenever a fixture file changes, and says so; an invalid one is told and left alone. */
export function watchFixtures(sandbox: SandboxCore, files: readonly string[], log: Log): void {
  const reload = () => {
    try {
      const dropped = sandbox.reload();
      log.write(log.isJson ? JSON.stringify({ type: 'reloaded', files, dropped }) : reloaded(files, dropped));
    } catch (error) {
      const problems = error instanceof FixtureError ? error.problems : [String(error)];
      if (log.isJson) log.write(JSON.stringify({ type: 'reload_failed', files, problems }));
      else
        failure(
          `the fixtures changed and cannot be used; the world goes on as it is:\n  ${problems.join('\n  ')}`,
        );
    }
  };
  onChange(files, reload);
}

function reloaded(files: readonly string[], dropped: Readonly<Record<string, number>>): string {
  const counts = Object.entries(dropped).map(([kind, count]) => `${count} ${kind}`);
  const since =
    counts.length === 0
      ? 'nothing had been created since'
      : `dropped what was created since: ${counts.join(', ')}`;
  return `reloaded ${files.join(', ')}: a new world; ${since}`;
}

/** Calls back when the text of any file has changed. Watches folders, because editors replace files. */
function onChange(files: readonly string[], callBack: () => void): void {
  let seen = textsOf(files);
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = textsOf(files);
    if (now === seen) return;
    seen = now;
    callBack();
  };
  for (const folder of new Set(files.map(file => dirname(file)))) {
    const names = new Set(files.filter(file => dirname(file) === folder).map(file => basename(file)));
    const watcher = watch(folder, (_event, name) => {
      if (name !== null && !names.has(name)) return;
      clearTimeout(timer);
      timer = setTimeout(look, QUIET_MS);
    });
    watcher.on('error', error => failure(`${folder} cannot be watched any more: ${error.message}`));
  }
}

function textsOf(files: readonly string[]): string {
  return JSON.stringify(
    files.map(file => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return null;
      }
    }),
  );
}
