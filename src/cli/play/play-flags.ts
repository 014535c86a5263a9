import { type Command, InvalidArgumentError } from 'commander';
import { suggestion } from '../../core/values/nearest.ts';
import type { Scenario } from '../../tools/scenarios/file/read.ts';
import { UsageError } from '../errors.ts';

/** Adds the flags of every command that plays a scenario. */
export function playFlags(command: Command): Command {
  return command
    .option('--var <name=value>', 'set a variable of the scenario; repeatable', variable)
    .option('--junit <file>', 'write a JUnit XML report with one test case per step')
    .option('--json', 'print only the report, as JSON');
}

/** Returns the values of `--var`. Throws a UsageError for a name that the scenario does not use. */
export function variablesOf(
  scenario: Scenario,
  values: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const known = [
    'run',
    ...Object.keys(scenario.variables),
    ...scenario.steps.flatMap(({ capture }) => Object.keys(capture ?? {})),
  ];
  for (const name of Object.keys(values)) {
    if (known.includes(name)) continue;
    const hint = suggestion(name, known) || `; its variables are ${known.join(', ')}`;
    throw new UsageError(`--var ${name}: the scenario has no such variable${hint}`);
  }
  return values;
}

function variable(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('It must be a name and a value, such as user=user-7.');
  return { ...previous, [name]: value };
}
