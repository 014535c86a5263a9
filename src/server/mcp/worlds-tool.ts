import { checkNames, type Tool, type ToolContext, textArgument } from './tool.ts';

const USE = 'worlds.use';

/** Adds the action that changes the world of the client to the tool for worlds, and notes the worlds that it creates. */
export function worldsTool(tool: Tool): Tool {
  // The schema of the actions is that of operationTool.
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
      // The sandbox validates its responses.
      if (name === 'worlds.create') context.worlds.add((answer as { readonly id: string }).id);
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
