import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { onTestFinished } from 'vitest';
import { startOwnSandbox } from '../../../src/cli/sandbox/temporary-sandbox.ts';
import { createMcpServer } from '../../../src/server/mcp/server.ts';
import type { AtEnd } from '../../support/cli-process.ts';
import { type Json, START } from '../../support/sandbox.ts';

/** The answer to a call of a tool. */
export interface Answer {
  readonly isError: boolean;
  /** All texts of the answer. */
  readonly texts: readonly string[];
  /** The JSON of the first text; undefined when it is not JSON, as in an answer that is cut. */
  readonly json: Json;
}

/** A client of the protocol's own SDK. */
export interface McpClient {
  readonly sdk: Client;
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
}

/** Wraps a connected client. */
export function callerOf(sdk: Client): McpClient {
  return {
    sdk,
    async call(name, args = {}) {
      const { isError, content } = await sdk.callTool({ name, arguments: args });
      // The client has checked the answer against the schema of the protocol.
      const texts = (content as readonly { readonly text: string }[]).map(({ text }) => text);
      return { isError: isError === true, texts, json: parsed(texts[0] ?? '') };
    },
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Connects a client to a server in this process, with a sandbox of its own whose clock is frozen at START. */
export async function connectHere(atEnd: AtEnd = onTestFinished) {
  const flags = { port: 0, host: '127.0.0.1', clock: START, freeze: true };
  const { client: sandbox, release } = await startOwnSandbox(flags, null);
  const { server, close } = createMcpServer({ client: sandbox, version: '1.0.0', instructions: 'A test.' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const sdk = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(there), sdk.connect(here)]);
  atEnd(async () => {
    await close();
    await sdk.close();
    await release();
  });
  return { ...callerOf(sdk), sandbox, close };
}
