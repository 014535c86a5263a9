import type { Command, Help } from 'commander';

/** The headings under which the program's help lists commands. */
export const HELP_GROUPS = {
  run: 'Run a sandbox:',
  inspect: 'Inspect what happened, and why:',
  test: 'Test receivers and compare servers:',
  state: 'Seed, save and restore state:',
  control: 'Control the sandbox and simulate the outside world:',
  shell: 'Shell and help:',
} as const;
/** A heading under which the program's help lists commands. */
export type HelpGroup = keyof typeof HELP_GROUPS;

const INDENT = '  ';
/** A description with less room than this beside its term is printed below the term. */
const MIN_ROOM = 24;

/** Makes help fit narrow terminals. Commands that are added afterwards inherit this. */
export function fitHelp(program: Command): Command {
  return program.configureHelp({ minWidthToWrap: MIN_ROOM, formatItem });
}

/** Puts every top-level command that has no group yet into a group. */
export function groupCommands(program: Command, group: HelpGroup): void {
  for (const command of program.commands) {
    if (command.helpGroup() === '') command.helpGroup(HELP_GROUPS[group]);
  }
}

function formatItem(this: Help, term: string, termWidth: number, description: string, help: Help): string {
  const width = help.helpWidth ?? 80;
  const room = width - termWidth - 2 * INDENT.length;
  const isBeside = room >= MIN_ROOM;
  if (description === '') return INDENT + term;
  const text = help.boxWrap(description, isBeside ? room : Math.max(MIN_ROOM, width - 3 * INDENT.length));
  const margin = ' '.repeat(isBeside ? termWidth + 2 * INDENT.length : 3 * INDENT.length);
  const first = isBeside ? INDENT + term.padEnd(termWidth) + INDENT : `${INDENT}${term}\n${margin}`;
  return first + text.replaceAll('\n', `\n${margin}`);
}
