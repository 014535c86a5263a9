import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpOptions } from './server.ts';

/** How long pending calls may take once the client has closed standard input. */
const GRACE_MS = 2_000;

/**
 * Serves one client over standard input and output. Resolves when the client has closed the input and its calls are
 * answered, or at once when `stopped` is aborted.
 */
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
  if (!stopped.aborted) await Promise.race([answered(idle), aborted, timeout(GRACE_MS)]);
  await close();
}

/** Resolves when the calls that were read are answered. Their handlers start in a later turn. */
async function answered(idle: () => Promise<void>): Promise<void> {
  await setImmediate();
  await idle();
  await setImmediate();
}

function timeout(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds).unref());
}
