import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { clearTimeout, setTimeout } from '../../core/values/builtins.ts';
import { needsBuilding } from '../../sandbox/fixtures/define/build-fixtures.ts';
import { FixtureError } from '../../sandbox/fixtures/file/fixture-error.ts';
import { builtInNames } from '../../sandbox/fixtures/file/source.ts';
import type { SandboxCore } from '../../sandbox/sandbox.ts';
import { readTextFile } from '../../sandbox/text-file.ts';
import { UsageError } from '../errors.ts';
import type { Log } from '../log.ts';
import { failure } from '../output/print.ts';

/** Editors write a file in several steps; it is read this long after the last one. */
const DEBOUNCE_MS = 100;

/** Returns the fixtures that are files. Throws a UsageError without files, and for one that is code. */
export function filesToWatch(fixtures: readonly string[] = []): string[] {
  const builtIn = builtInNames();
  const files = fixtures.filter(each => !builtIn.includes(each));
  const code = files.find(needsBuilding);
  if (code !== undefined) {
    throw new UsageError(
      `--watch supports YAML and JSON; ${code} is code, which Node loads only once: restart instead`,
      'watch',
    );
  }
  if (files.length > 0) return files;
  throw new UsageError('--watch needs a fixture file to watch; pass one with --fixtures', 'watch');
}

/**
 * Reloads the sandbox whenever a fixture file changes, and logs what that dropped. A world that came from the state file
 * is left alone. Invalid fixtures are reported, and the sandbox keeps its records.
 */
export function watchFixtures(sandbox: SandboxCore, files: readonly string[], log: Log): void {
  onChange(files, () => {
    try {
      const dropped = sandbox.reload();
      if (!log.isJson) log.write(reloadLine(files, dropped));
      else if (dropped === null)
        log.write(JSON.stringify({ type: 'reload_deferred', files, reason: FROM_STATE }));
      else log.write(JSON.stringify({ type: 'reloaded', files, dropped }));
    } catch (error) {
      const problems = error instanceof FixtureError ? error.problems : [String(error)];
      if (log.isJson) log.write(JSON.stringify({ type: 'reload_failed', files, problems }));
      else failure(`the changed fixtures are invalid; nothing was reloaded:\n  ${problems.join('\n  ')}`);
    }
  });
}

const FROM_STATE = 'the world came from the state file; the next reset starts with the changed fixtures';

function reloadLine(files: readonly string[], dropped: Readonly<Record<string, number>> | null): string {
  if (dropped === null) return `not reloaded ${files.join(', ')}: ${FROM_STATE}`;
  const counts = Object.entries(dropped).map(([kind, count]) => `${count} ${kind}`);
  const loss = counts.length === 0 ? 'nothing was dropped' : `dropped ${counts.join(', ')} created since`;
  return `reloaded ${files.join(', ')}; ${loss}`;
}

/** Calls `listener` when the text of any file has changed. Watches folders, because editors replace files. */
function onChange(files: readonly string[], listener: () => void): void {
  let previous = contentsOf(files);
  let timer: NodeJS.Timeout | undefined;
  const compare = () => {
    const current = contentsOf(files);
    if (current === previous) return;
    previous = current;
    listener();
  };
  for (const folder of new Set(files.map(file => dirname(file)))) {
    const names = new Set(files.filter(file => dirname(file) === folder).map(file => basename(file)));
    const watcher = watch(folder, (_event, name) => {
      if (name !== null && !names.has(name)) return;
      clearTimeout(timer);
      timer = setTimeout(compare, DEBOUNCE_MS);
    });
    watcher.on('error', error => failure(`${folder} can no longer be watched: ${error.message}`));
  }
}

function contentsOf(files: readonly string[]): string {
  return JSON.stringify(
    files.map(file => {
      try {
        return readTextFile(file);
      } catch {
        return null;
      }
    }),
  );
}
