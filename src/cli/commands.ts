import type { AddCommand } from './command.ts';
import { add as env } from './commands/env.ts';
import { addResources } from './commands/resources.ts';
import { add as stop } from './commands/stop.ts';
import { add as wait } from './commands/wait.ts';
import { OPERATION_COMMANDS } from './from-operations/command-table.ts';

type Load = () => AddCommand | Promise<AddCommand>;

const fixtures: Load = async () => (await import('./commands/fixtures.ts')).add;

/**
 * The commands with code of their own, by their words. Those that need more than a client are imported when they are
 * called, so that no command waits for the code of another.
 */
const OWN_COMMANDS: Readonly<Record<string, Load>> = {
  start: async () => (await import('./commands/start.ts')).add,
  exec: async () => (await import('./commands/exec/exec.ts')).add,
  stop: () => stop,
  wait: () => wait,
  env: () => env,
  mcp: async () => (await import('./commands/mcp.ts')).add,
  tail: async () => (await import('./commands/tail.ts')).add,
  'requests explain': async () => (await import('./commands/explain-request.ts')).add,
  listen: async () => (await import('./commands/testing/listen.ts')).add,
  forward: async () => (await import('./commands/forward.ts')).add,
  'doctor webhook': async () => (await import('./commands/doctor/doctor.ts')).add,
  exam: async () => (await import('./commands/exam/exam.ts')).add,
  init: async () => (await import('./commands/init/init.ts')).add,
  demo: async () => (await import('./commands/testing/demo.ts')).add,
  run: async () => (await import('./commands/testing/run.ts')).add,
  open: async () => (await import('./commands/testing/open.ts')).add,
  'events redeliver': async () => (await import('./commands/redeliver.ts')).add,
  'history export': async () => (await import('./commands/history-export.ts')).add,
  openapi: async () => (await import('./commands/testing/openapi.ts')).add,
  'fixtures init': fixtures,
  'fixtures validate': fixtures,
  'fixtures schema': fixtures,
  'simulate 3ds-verify': async () => (await import('./commands/simulate-verify.ts')).add,
  'simulate kyc': async () => (await import('./commands/simulate-kyc.ts')).add,
  'worlds add': async () => (await import('./commands/worlds-add.ts')).add,
  guide: async () => (await import('./commands/guide.ts')).add,
  resources: () => program => addResources(program, COMMAND_WORDS),
};

export const COMMAND_WORDS: readonly string[] = [
  ...Object.keys(OWN_COMMANDS),
  ...Object.keys(OPERATION_COMMANDS),
];

/** Resolves with what adds the commands that begin with a word, if any do. */
export async function loadCommands(word: string): Promise<AddCommand[]> {
  const begins = (words: string) => words.split(' ')[0] === word;
  const own = Object.entries(OWN_COMMANDS).filter(([words]) => begins(words));
  const adds = await Promise.all([...new Set(own.map(([, load]) => load))].map(load => load()));
  if (!Object.keys(OPERATION_COMMANDS).some(begins)) return adds;
  const { addOperationCommands } = await import('./from-operations/operation-commands.ts');
  return [program => addOperationCommands(program, word), ...adds];
}
