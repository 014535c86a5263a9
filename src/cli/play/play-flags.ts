import { type Command, InvalidArgumentError } from 'commander';
import { suggestion } from '../../kernel/values/nearest.ts';
import type { Scenario } from '../../scenarios/file/read.ts';
import { UsageError } from '../exit.ts';

/** Adds the flags of every command that plays a scenario. */
export function playFlags(command: Command): Command {
  return command
    .option('--var <name=value>', 'a value for a variable of the scenario; repeatable', variable)
    .option('--junit <file>', 'write a JUnit XML report, with a case for each step')
    .option('--json', 'print the report as JSON, for programs, in place of all else');
}

/** The values that `--var` gave. Throws a UsageError for a name that the scenario never uses. */
export function variablesOf(
  scenario: Scenario,
  given: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const known = [
    'run',
    ...Object.keys(scenario.variables),
    ...scenario.steps.flatMap(({ capture }) => Object.keys(capture ?? {})),
  ];
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const way = suggestion(name, known) || `; it has ${known.join(', ')}`;
    throw new UsageError(`--var ${name}: the scenario has no such variable${way}`);
  }
  return given;
}

/** Hears SIGINT and SIGTERM for as long as something plays. */
export function endedBySignals(): { readonly signal: AbortSignal; abort(): void; ignore(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, abort);
  return {
    signal: controller.signal,
    abort,
    ignore() {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, abort);
    },
  };
}

function variable(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('It must be a name and a value, such as user=user-7.');
  return { ...before, [name]: value };
}
