import { operations } from '../../sandbox/operations.ts';
import type { AddCommand } from '../command.ts';
import { HELP_GROUPS } from '../output/help.ts';
import { addOperation } from './operation-command.ts';
import { plansFor } from './plan.ts';
import { topics } from './topics.ts';

/** Adds a command for every control operation of the table, in the groups that their topics name. */
export const add: AddCommand = program => {
  const plans = plansFor(operations);
  for (const plan of plans) addOperation(program, plan);
  const words = new Set(plans.map(({ words: [first] }) => first));
  for (const command of program.commands.filter(each => words.has(each.name()))) {
    const { about, group } = topics[command.name()] ?? {};
    if (command.description() === '') command.description(about ?? `Commands for ${command.name()}.`);
    if (group !== undefined) command.helpGroup(HELP_GROUPS[group]);
  }
};
