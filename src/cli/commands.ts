import type { AddCommand } from './command.ts';
import type { HelpGroup } from './output/help.ts';

/** One entry of the registry. A command is one module, or one folder, and one line here. */
export interface CommandEntry {
  /** The words that lead to the command; `*` for all commands generated from the operation table. */
  readonly words: string;
  /** The help group of its first word. */
  readonly group: HelpGroup;
  /** Loads its module. Called only when the command runs or when all commands are listed. */
  readonly load: () => Promise<{ readonly add: AddCommand }>;
  /** Whether the command reads the definitions of all other commands. */
  readonly needsAll?: true;
}

/** Every command of the program. Help lists groups, and the commands of a group, in this order. */
export const commands: readonly CommandEntry[] = [
  { words: 'start', group: 'run', load: () => import('./commands/sandbox/start.ts') },
  { words: 'exec', group: 'run', load: () => import('./commands/sandbox/exec.ts') },
  { words: 'wait', group: 'run', load: () => import('./commands/sandbox/wait.ts') },
  { words: 'env', group: 'run', load: () => import('./commands/sandbox/env.ts') },
  { words: 'tail', group: 'inspect', load: () => import('./commands/inspect/tail.ts') },
  {
    words: 'requests explain',
    group: 'inspect',
    load: () => import('./commands/inspect/explain-request.ts'),
  },
  { words: 'listen', group: 'test', load: () => import('./commands/testing/listen.ts') },
  { words: 'doctor', group: 'test', load: () => import('./commands/doctor/doctor.ts') },
  { words: 'demo', group: 'test', load: () => import('./commands/testing/demo.ts') },
  { words: 'run', group: 'test', load: () => import('./commands/testing/run.ts') },
  { words: 'openapi', group: 'test', load: () => import('./commands/testing/openapi.ts') },
  { words: 'fixtures', group: 'state', load: () => import('./commands/world/fixtures.ts') },
  { words: '*', group: 'control', load: () => import('./from-operations/operation-commands.ts') },
  {
    words: 'simulate 3ds-verify',
    group: 'control',
    load: () => import('./commands/world/simulate-verify.ts'),
  },
  { words: 'simulate kyc', group: 'control', load: () => import('./commands/world/simulate-kyc.ts') },
  { words: 'worlds add', group: 'run', load: () => import('./commands/world/worlds-add.ts') },
  {
    words: 'completion',
    group: 'shell',
    load: () => import('./commands/completion/completion.ts'),
    needsAll: true,
  },
];

/**
 * Returns the entries to load for a command line that begins with `word`: the one command of that name, or everything
 * that may have subcommands under it. The operation table is among the latter, because only it knows its own words.
 */
export function entriesFor(word: string): readonly CommandEntry[] {
  const entry = commands.find(({ words }) => words === word);
  if (entry !== undefined) return entry.needsAll ? commands : [entry];
  return commands.filter(({ words }) => words === '*' || words.startsWith(`${word} `));
}
