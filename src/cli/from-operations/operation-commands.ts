import { operations } from '../../sandbox/operations.ts';
import type { AddCommands } from '../command.ts';
import { addExplain } from '../commands/observe/requests-explain.ts';
import { addSimulateCard } from '../commands/world/simulate-card.ts';
import { addSimulateKyc } from '../commands/world/simulate-kyc.ts';
import { addOperation } from './operation-command.ts';
import { plansFor } from './plan.ts';

/** What is said of the words that only hold commands together. */
const GROUPS: Readonly<Record<string, string>> = {
  assumptions: 'What the sandbox decides where the interface is silent.',
  balance: 'The money of a partner.',
  cardholders: 'People, and what the card provider knows of them.',
  checkpoint: 'Snapshots of the world, kept in memory.',
  clock: 'The time in the sandbox.',
  events: 'Deliveries of webhooks.',
  faults: 'Faults on demand, for the API and for webhooks.',
  'kyc-sessions': 'Visits to the hosted KYC page.',
  partners: 'Partners, their settings and keys.',
  records: 'The records of a partner, without a trace in its journal.',
  requests: 'What was asked of the API, and why it answered as it did.',
  simulate: 'What happens in the world outside: card network, card provider, bank.',
  state: 'The whole world as one file.',
  webhooks: 'Where a partner wants its webhooks.',
};

/** Adds the commands of the operation table, and those that combine operations. */
export const addControl: AddCommands = program => {
  for (const plan of plansFor(operations)) addOperation(program, plan);
  addExplain(program, operations);
  addSimulateCard(program);
  addSimulateKyc(program);
  for (const group of program.commands) {
    if (group.commands.length > 0 && group.description() === '') {
      group.description(GROUPS[group.name()] ?? `Commands about ${group.name()}.`);
    }
  }
};
