import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type Client, RefusedError, UnreachableError, UnsendableError } from '../../client/client.ts';
import { nextTurn, sleep } from '../../core/values/builtins.ts';
import { suggestion } from '../../core/values/nearest.ts';
import { messageOf } from '../../core/values/read-thrown.ts';
import { type ClientWorlds, type Tool, type ToolArguments, type ToolContext, ToolError } from './tool.ts';
import { tools } from './tools.ts';

export interface McpOptions {
  readonly client: Client;
  readonly version: string;
  /** Instructions for the client: what it has to know about the world. */
  readonly instructions: string;
}

export interface McpServer {
  readonly server: Server;
  idle(): Promise<void>;
  /** Disconnects the client, and ends the worlds that it has created. */
  close(): Promise<void>;
}

/** The most characters of an answer: what a model reads of one. */
const MAX_ANSWER = 20_000;

/** Creates a server of the Model Context Protocol for one client. Connect it to a transport. */
export function createMcpServer({ client, version, instructions }: McpOptions): McpServer {
  const server = new Server(
    { name: 'card-sandbox', version },
    {
      capabilities: { tools: {} },
      instructions,
      // It would check answers of people, whom this server does not ask.
      jsonSchemaValidator: {
        getValidator: () => data => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  const worlds: ClientWorlds = { client, created: new Set() };
  const pending = new Set<Promise<unknown>>();
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listTool) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const answer = call(params.name, params.arguments ?? {}, { worlds, signal }).catch(toRefusal);
    pending.add(answer);
    void answer.finally(() => pending.delete(answer));
    return answer;
  });
  return {
    server,
    async idle() {
      while (pending.size > 0) await Promise.all(pending);
    },
    async close() {
      // A world may have ended, by itself or with its sandbox.
      await Promise.allSettled([...worlds.created].map(id => endWorld(client, id)));
      await server.close();
    },
  };
}

function endWorld(client: Client, id: string): Promise<unknown> {
  return client.control({ method: 'DELETE', path: `/worlds/${encodeURIComponent(id)}` });
}

function listTool({ name, description, properties, required, isReadOnly }: Tool) {
  return {
    name,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: { ...properties },
      required: [...required],
    },
    ...(isReadOnly && { annotations: { readOnlyHint: true } }),
  };
}

async function call(name: string, args: ToolArguments, context: ToolContext): Promise<CallToolResult> {
  const tool = tools.find(each => each.name === name);
  if (tool === undefined) {
    const names = tools.map(each => each.name);
    throw new ToolError(
      `no tool ${JSON.stringify(name)}${suggestion(name, names)}`,
      `the tools are ${names.join(', ')}`,
    );
  }
  const text = JSON.stringify(await tool.call(args, context)) ?? 'null';
  const content = [{ type: 'text' as const, text: text.slice(0, MAX_ANSWER) }];
  if (text.length <= MAX_ANSWER) return { content };
  const remark = `The answer is cut: it has ${text.length} characters. Ask for less, such as with "limit" or one id.`;
  return { content: [...content, { type: 'text', text: remark }] };
}

/** Returns the answer to a call that failed: what is wrong and what to do, never a stack. */
function toRefusal(error: unknown): CallToolResult {
  const { message, hint, ...details } = problemOf(error);
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ message, hint, ...details }) }] };
}

function hintOf({ status, message }: RefusedError): string {
  if (status === 404 && message.startsWith('no world "')) {
    return 'worlds worlds.use changes to a world that exists, and worlds.create makes one';
  }
  const what = status === 404 ? 'the lists have the ids that exist' : 'the message names what would pass';
  return `${what}; find_operations with "operation" shows what an action takes`;
}

function problemOf(error: unknown): {
  readonly message: string;
  readonly hint: string;
  readonly status?: number;
} {
  if (error instanceof ToolError) return { message: error.message, hint: error.hint, ...error.details };
  if (error instanceof RefusedError) {
    return { message: error.message, hint: hintOf(error), status: error.status };
  }
  if (error instanceof UnsendableError) {
    return { message: error.message, hint: 'find_operations lists the methods and paths of the API' };
  }
  if (error instanceof UnreachableError) {
    const hint =
      'start the sandbox again if it has stopped, then connect again; what_happened shows whether a fault did it';
    return { message: error.message, hint };
  }
  const hint = 'this is a bug in card-sandbox; what_happened history.list shows what came before';
  return { message: messageOf(error), hint };
}

/** How long pending calls may take once the client has closed standard input. */
const GRACE_MS = 2_000;

/** Resolves when the input has ended and all calls are answered, or at once when `stopped` is aborted. */
export async function serveStdio(options: McpOptions, stopped: AbortSignal): Promise<void> {
  const { server, idle, close } = createMcpServer(options);
  const closed = new Promise<void>(resolve => {
    process.stdin
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
    process.stdout.once('error', () => resolve());
  });
  const aborted = new Promise<void>(resolve => {
    if (stopped.aborted) resolve();
    else stopped.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await Promise.race([closed, aborted]);
  if (!stopped.aborted)
    await Promise.race([untilAnswered(idle), aborted, sleep(GRACE_MS, undefined, { ref: false })]);
  await close();
}

/** Resolves when the calls that were read are answered. Their handlers start in a later turn. */
async function untilAnswered(idle: () => Promise<void>): Promise<void> {
  await nextTurn();
  await idle();
  await nextTurn();
}
