import { operations } from '../../sandbox/operations.ts';
import { callApi } from './call-api.ts';
import { findOperations } from './find-operations.ts';
import type { Operation } from './operation-tool.ts';
import { operationTool } from './operation-tool.ts';
import { checkNames, type Tool, type ToolContext, textArgument } from './tool.ts';

/** The tools whose actions are operations of the control plane. `words` are the first words of their ids. */
const TOPICS = [
  {
    name: 'world',
    description:
      'Act as the card network, the card provider and the bank: issue active cards, authorize, settle, top up. Also checkpoints, and the reset of the world.',
    words: ['transactions', 'cards', 'threeDSecure', 'balance', 'checkpoints', 'reset'],
  },
  {
    name: 'time',
    description:
      'Read and move the sandbox clock. An advance such as "24h" runs everything that falls due, webhook retries included, before it answers.',
    words: ['clock'],
  },
  {
    name: 'people',
    description: 'Issue share tokens, add approved cardholders, and decide KYC as the provider does.',
    words: ['shareTokens', 'kycSessions', 'cardholders'],
  },
  {
    name: 'what_happened',
    description:
      'What was requested and why it was answered so: the journal with rules and hints, and the history with the way back. Newest first.',
    words: ['requests', 'coverage', 'history', 'assumptions'],
  },
  {
    name: 'deliveries',
    description:
      'Webhooks: deliveries with every attempt, events to trigger, and the URL that they are forwarded to. deliveries.wait waits for one.',
    words: ['deliveries', 'events', 'webhooks', 'forwarding'],
  },
  {
    name: 'faults',
    description:
      'Make the API or webhooks fail on demand: errors, delays, lost answers, duplicates, bad signatures.',
    words: ['faults', 'webhookFaults'],
  },
  {
    name: 'worlds',
    description:
      'The partners of this world with their keys and settings, and further worlds. After worlds.use all tools work in another one.',
    words: ['info', 'partners', 'worlds'],
  },
  {
    name: 'play_scenario',
    description:
      'Play a scenario step by step: stories.list names them, stories.play goes forward to a step, or back with a rewind.',
    words: ['stories'],
  },
] as const;

/** Operations that no tool serves, by id or its first word. */
export const NOT_SERVED = [
  // They are of the process, or their answers are for programs.
  'health',
  'stop',
  'stream',
  'state',
  'history.export',
  // The API has the same, with a trace in the journal.
  'records',
  'cards.details',
  'transactions.details',
  'balance.show',
  'webhooks.showConfig',
  'webhooks.changeConfig',
  // Other actions do the same.
  'requests.count',
];

/** Returns the name of the tool that serves an operation, or null when none does. */
export function toolOf({ id, plane }: Pick<Operation, 'id' | 'plane'>): string | null {
  if (plane === 'partner') return callApi.name;
  const [word] = id.split('.');
  if (NOT_SERVED.some(each => each === id || each === word)) return null;
  return TOPICS.find(({ words }) => words.some(each => each === word))?.name ?? null;
}

const USE = 'worlds.use';

/** Adds the action that changes the world of the client to the tool for worlds, and notes the worlds that it creates. */
function worldsTool(tool: Tool): Tool {
  // operationTool has made the schema of the actions.
  const action = tool.properties.action as { readonly enum: readonly string[]; readonly description: string };
  return {
    ...tool,
    properties: {
      ...tool.properties,
      action: { ...action, enum: [...action.enum, USE], description: `${action.description} ${USE}(world)` },
    },
    async call({ action: name, ...args }, context) {
      if (name === USE) return use(args, context);
      const answer = await tool.call({ action: name, ...args }, context);
      const { created } = context.worlds;
      // The sandbox validates its responses.
      if (name === 'worlds.create') created.add((answer as { readonly id: string }).id);
      if (name === 'worlds.remove') created.delete(String(args.world));
      return answer;
    },
  };
}

async function use(args: Parameters<Tool['call']>[0], { worlds }: ToolContext): Promise<unknown> {
  checkNames(USE, args, ['world'], ['world']);
  const client = worlds.client.inWorld(textArgument(args, 'world') ?? '');
  const { baseUrl, partners } = await client.info();
  worlds.client = client;
  return { world: client.world, baseUrl, partners };
}

/** The tools of the server. The operation table decides what they can do. */
export const tools: readonly Tool[] = [
  findOperations(
    operations.filter(each => toolOf(each) !== null),
    each => toolOf(each) ?? '',
  ),
  callApi,
  ...TOPICS.map(({ name, description }) => {
    const tool = operationTool(
      name,
      description,
      operations.filter(each => toolOf(each) === name),
    );
    return name === 'worlds' ? worldsTool(tool) : tool;
  }),
];
