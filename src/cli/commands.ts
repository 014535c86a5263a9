import type { AddCommand, HelpGroup } from './command.ts';
import { add as calibrate } from './commands/calibrate/calibrate.ts';
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
import { add as init } from './commands/init/init.ts';
import { add as mcp } from './commands/mcp.ts';
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
  /** The help group of its first word. */
  readonly group: HelpGroup;
  readonly add: AddCommand;
}

/** Every command of the program. Help lists groups, and the commands of a group, in this order. */
export const commands: readonly CommandEntry[] = [
  { words: 'start', group: 'run', add: start },
  { words: 'exec', group: 'run', add: exec },
  { words: 'stop', group: 'run', add: stop },
  { words: 'wait', group: 'run', add: wait },
  { words: 'env', group: 'run', add: env },
  { words: 'mcp', group: 'run', add: mcp },
  { words: 'tail', group: 'inspect', add: tail },
  { words: 'requests explain', group: 'inspect', add: explainRequest },
  { words: 'listen', group: 'test', add: listen },
  { words: 'forward', group: 'test', add: forward },
  { words: 'doctor', group: 'test', add: doctor },
  { words: 'exam', group: 'test', add: exam },
  { words: 'calibrate', group: 'test', add: calibrate },
  { words: 'init', group: 'test', add: init },
  { words: 'demo', group: 'test', add: demo },
  { words: 'run', group: 'test', add: run },
  { words: 'openapi', group: 'test', add: openapi },
  { words: 'fixtures', group: 'state', add: fixtures },
  { words: 'history export', group: 'inspect', add: historyExport },
  { words: '*', group: 'control', add: operationCommands },
  { words: 'simulate 3ds-verify', group: 'control', add: simulateVerify },
  { words: 'simulate kyc', group: 'control', add: simulateKyc },
  { words: 'worlds add', group: 'run', add: worldsAdd },
  { words: 'guide', group: 'shell', add: guide },
  { words: 'completion', group: 'shell', add: completion },
];

/**
 * Returns the entries that a command line which begins with `word` needs: the one command of that name, or everything
 * that may have subcommands under it. The operation table is among the latter, because only it knows its own words.
 */
export function entriesFor(word: string): readonly CommandEntry[] {
  const entry = commands.find(({ words }) => words === word);
  if (entry !== undefined) return [entry];
  return commands.filter(({ words }) => words === '*' || words.startsWith(`${word} `));
}
