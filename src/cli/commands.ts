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

const light = () => import('./light-commands.ts');
const others = () => import('./other-commands.ts');

/** Every command of the program. Help lists groups, and the commands of a group, in this order. */
export const commands: readonly CommandEntry[] = [
  { words: 'start', group: 'run', load: () => import('./commands/sandbox/start.ts') },
  { words: 'exec', group: 'run', load: () => others().then(all => all.exec) },
  { words: 'stop', group: 'run', load: () => light().then(all => all.stop) },
  { words: 'wait', group: 'run', load: () => light().then(all => all.wait) },
  { words: 'env', group: 'run', load: () => light().then(all => all.env) },
  { words: 'mcp', group: 'run', load: () => others().then(all => all.mcp) },
  { words: 'tail', group: 'inspect', load: () => others().then(all => all.tail) },
  {
    words: 'requests explain',
    group: 'inspect',
    load: () => others().then(all => all.explainRequest),
  },
  { words: 'listen', group: 'test', load: () => others().then(all => all.listen) },
  { words: 'forward', group: 'test', load: () => others().then(all => all.forward) },
  { words: 'doctor', group: 'test', load: () => others().then(all => all.doctor) },
  { words: 'exam', group: 'test', load: () => others().then(all => all.exam) },
  { words: 'calibrate', group: 'test', load: () => others().then(all => all.calibrate) },
  { words: 'init', group: 'test', load: () => others().then(all => all.init) },
  { words: 'demo', group: 'test', load: () => others().then(all => all.demo) },
  { words: 'run', group: 'test', load: () => others().then(all => all.run) },
  { words: 'openapi', group: 'test', load: () => others().then(all => all.openapi) },
  { words: 'fixtures', group: 'state', load: () => others().then(all => all.fixtures) },
  { words: 'history export', group: 'inspect', load: () => others().then(all => all.historyExport) },
  { words: '*', group: 'control', load: () => others().then(all => all.operationCommands) },
  {
    words: 'simulate 3ds-verify',
    group: 'control',
    load: () => others().then(all => all.simulateVerify),
  },
  { words: 'simulate kyc', group: 'control', load: () => others().then(all => all.simulateKyc) },
  { words: 'worlds add', group: 'run', load: () => others().then(all => all.worldsAdd) },
  { words: 'guide', group: 'shell', load: () => others().then(all => all.guide) },
  {
    words: 'completion',
    group: 'shell',
    load: () => others().then(all => all.completion),
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
