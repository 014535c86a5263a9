import type { Command, Help } from 'commander';

/** What the commands are for. Groups, and the commands in each, are shown in the order in which they are added. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Start a sandbox and find it:': ['start', 'exec', 'wait', 'env', 'info', 'health'],
  'See what happens, and why:': ['tail', 'requests', 'events', 'records', 'assumptions'],
  'Test a receiver, show a story, compare servers:': ['listen', 'doctor', 'demo', 'run', 'openapi'],
  'Begin, keep and bring back a world:': ['fixtures', 'reset', 'checkpoint', 'state'],
  'Play the rest of the world:': [
    ...['clock', 'share-token', 'kyc-sessions', 'cardholders', 'simulate', 'balance'],
    ...['trigger', 'faults', 'partners', 'webhooks'],
  ],
  'About the commands:': ['completion', 'help'],
};

const INDENT = '  ';
/** A description that has less room than this beside its term goes below it. */
const LEAST_ROOM = 24;

/** Makes help fit narrow terminals; commands that are added afterwards take it over. */
export function fitHelp(program: Command): Command {
  return program.configureHelp({ minWidthToWrap: LEAST_ROOM, formatItem });
}

/** Puts the commands of the program into groups. */
export function groupCommands(program: Command): void {
  for (const [title, names] of Object.entries(GROUPS)) {
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(title);
  }
}

function formatItem(this: Help, term: string, termWidth: number, description: string, help: Help): string {
  const width = help.helpWidth ?? 80;
  const room = width - termWidth - 2 * INDENT.length;
  const isBeside = room >= LEAST_ROOM;
  if (description === '') return INDENT + term;
  const text = help.boxWrap(description, isBeside ? room : Math.max(LEAST_ROOM, width - 3 * INDENT.length));
  const margin = ' '.repeat(isBeside ? termWidth + 2 * INDENT.length : 3 * INDENT.length);
  const first = isBeside ? INDENT + term.padEnd(termWidth) + INDENT : `${INDENT}${term}\n${margin}`;
  return first + text.replaceAll('\n', `\n${margin}`);
}
