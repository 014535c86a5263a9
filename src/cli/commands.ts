import type { AddCommand } from './command.ts';
import { add as completion } from './commands/completion.ts';
import { add as doctor } from './commands/doctor/doctor.ts';
import { add as env } from './commands/env.ts';
import { add as exam } from './commands/exam/exam.ts';
import { add as exec } from './commands/exec/exec.ts';
import { add as explainRequest } from './commands/explain-request.ts';
import { add as fixtures } from './commands/fixtures.ts';
import { add as forward } from './commands/forward.ts';
import { add as guide } from './commands/guide.ts';
import { add as historyExport } from './commands/history-export.ts';
import { add as info } from './commands/info.ts';
import { add as init } from './commands/init/init.ts';
import { add as mcp } from './commands/mcp.ts';
import { add as resources } from './commands/resources.ts';
import { add as simulateKyc } from './commands/simulate-kyc.ts';
import { add as simulateVerify } from './commands/simulate-verify.ts';
import { add as start } from './commands/start.ts';
import { add as stop } from './commands/stop.ts';
import { add as tail } from './commands/tail.ts';
import { add as demo } from './commands/testing/demo.ts';
import { add as listen } from './commands/testing/listen.ts';
import { add as openapi } from './commands/testing/openapi.ts';
import { add as run } from './commands/testing/run.ts';
import { add as wait } from './commands/wait.ts';
import { add as worldsAdd } from './commands/worlds-add.ts';
import { add as operationCommands } from './from-operations/operation-commands.ts';

/** An entry of the registry: a module that adds a command. */
export interface CommandEntry {
  /** The words that lead to the command; `*` for all commands generated from the operation table. */
  readonly words: string;
  readonly add: AddCommand;
}

/** Every command of the program. */
export const commands: readonly CommandEntry[] = [
  { words: 'start', add: start },
  { words: 'exec', add: exec },
  { words: 'stop', add: stop },
  { words: 'wait', add: wait },
  { words: 'env', add: env },
  { words: 'info', add: info },
  { words: 'mcp', add: mcp },
  { words: 'tail', add: tail },
  { words: 'requests explain', add: explainRequest },
  { words: 'listen', add: listen },
  { words: 'forward', add: forward },
  { words: 'doctor', add: doctor },
  { words: 'exam', add: exam },
  { words: 'init', add: init },
  { words: 'demo', add: demo },
  { words: 'run', add: run },
  { words: 'openapi', add: openapi },
  { words: 'fixtures', add: fixtures },
  { words: 'history export', add: historyExport },
  { words: '*', add: operationCommands },
  { words: 'simulate 3ds-verify', add: simulateVerify },
  { words: 'simulate kyc', add: simulateKyc },
  { words: 'worlds add', add: worldsAdd },
  { words: 'guide', add: guide },
  { words: 'resources', add: resources },
  { words: 'completion', add: completion },
];

/**
 * Returns the entries that a command line which begins with `word` needs: the command of that name with its subcommands,
 * or everything that may have subcommands under it. The operation table is among the latter, because only it knows its
 * own words.
 */
export function entriesFor(word: string): readonly CommandEntry[] {
  const isOwn = commands.some(({ words }) => words === word);
  return commands.filter(
    ({ words }) => words === word || words.startsWith(`${word} `) || (words === '*' && !isOwn),
  );
}
