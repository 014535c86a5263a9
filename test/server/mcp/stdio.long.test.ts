import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../cli/support/is-running.ts';
import { CLI_PROGRAM, runCli, startCli } from '../../support/cli-process.ts';
import { callerOf, type McpClient } from './mcp-client.ts';

/** Starts `card-sandbox mcp` as an editor does, with the client and the transport of the SDK. */
async function connectProcess(
  args: readonly string[] = [],
): Promise<McpClient & { readonly pid: number; complaints(): string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI_PROGRAM, 'mcp', ...args],
    env: getDefaultEnvironment(),
    stderr: 'pipe',
  });
  let complaints = '';
  transport.stderr?.on('data', chunk => {
    complaints += chunk;
  });
  const sdk = new Client({ name: 'test', version: '1.0.0' });
  await sdk.connect(transport);
  onTestFinished(() => sdk.close());
  return { ...callerOf(sdk), pid: transport.pid ?? 0, complaints: () => complaints };
}

/** The arguments of a call of each tool that succeeds. */
const CALLS: Record<string, Record<string, unknown>> = {
  find_operations: { search: 'share token' },
  call_api: { method: 'GET', path: '/v1/partner/cards' },
  world: { action: 'balance.topUp', amount: 12.5 },
  time: { action: 'clock.advance', duration: '24h' },
  people: { action: 'shareTokens.mint', outcome: 'reject' },
  what_happened: { action: 'requests.list' },
  deliveries: { action: 'events.raise', eventType: 'card.issued' },
  faults: { action: 'faults.arm', status: 503, times: 1 },
  worlds: { action: 'worlds.create', id: 'blue' },
  play_scenario: { action: 'stories.play', story: 'errors-in-requests', to: 1 },
};

test('a client of the SDK lists and calls every tool, and the sandbox ends with it', async () => {
  const { sdk, call, pid, complaints } = await connectProcess();
  expect(sdk.getServerVersion()).toMatchObject({ name: 'card-sandbox' });
  const { tools } = await sdk.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort());
  for (const { name } of tools) {
    const answer = await call(name, CALLS[name]);
    expect(answer.isError, `${name}: ${answer.texts.join('\n')}`).toBe(false);
  }
  expect((await call('time', { action: 'advance' })).json.message).toContain('did you mean "clock.advance"');
  const baseUrl = /Base URL for the app under test: (\S+)\. /.exec(sdk.getInstructions() ?? '')?.[1] ?? '';
  const key = /sk_test_\w+/.exec(sdk.getInstructions() ?? '')?.[0] ?? '';
  const statusOfCall = async () =>
    (await fetch(`${baseUrl}/partner/balance`, { headers: { 'x-service-api-key': key } })).status;
  expect(await statusOfCall(), 'the fault that a tool has added').toBe(503);
  expect(await statusOfCall()).toBe(200);
  await sdk.close();
  await expect.poll(() => isRunning(pid)).toBe(false);
  await expect(fetch(baseUrl)).rejects.toThrow();
  expect(complaints()).toBe('');
});

const worldsOf = async (url: string) => {
  // The sandbox checks its responses against its schemas.
  const worlds = (await (await fetch(`${url}/_sandbox/worlds`)).json()) as { id: string }[];
  return worlds.map(({ id }) => id);
};

test('each client of a running sandbox has a world of its own, which ends with it', async () => {
  const { listening } = await startCli();
  const [one, other] = [
    await connectProcess(['--url', listening.url]),
    await connectProcess(['--url', listening.url]),
  ];
  expect(await worldsOf(listening.url)).toHaveLength(3);
  await one.call('people', { action: 'cardholders.addApproved' });
  const count = async ({ call }: McpClient) =>
    (await call('call_api', { method: 'GET', path: '/v1/partner/cardholders' })).json.body.total;
  expect(await count(one)).toBe((await count(other)) + 1);
  await one.sdk.close();
  await expect.poll(() => worldsOf(listening.url)).toHaveLength(2);
  process.kill(other.pid, 'SIGTERM');
  await expect.poll(() => worldsOf(listening.url)).toEqual(['main']);
  await expect.poll(() => isRunning(other.pid)).toBe(false);
});

test('with --world the client works in that world, which remains; the worlds that it creates end', async () => {
  const { listening } = await startCli();
  const { call, sdk } = await connectProcess(['--url', listening.url, '--world', 'main']);
  await call('time', { action: 'clock.freeze', at: '2030-01-01T00:00:00Z' });
  await call('worlds', { action: 'worlds.create', id: 'blue' });
  expect(await worldsOf(listening.url)).toEqual(['main', 'blue']);
  await sdk.close();
  await expect.poll(() => worldsOf(listening.url)).toEqual(['main']);
  const clock = await (await fetch(`${listening.url}/_sandbox/clock`)).json();
  expect(clock).toMatchObject({ mode: 'frozen', now: '2030-01-01T00:00:00.000Z' });
});

test('a client that sends everything and closes its end gets every answer, and nothing else is printed', async () => {
  const child = spawn(process.execPath, [CLI_PROGRAM, 'mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', chunk => {
    output += chunk;
  });
  const ended = new Promise(resolve => child.once('close', resolve));
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  };
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'time', arguments: CALLS.time } },
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'world', arguments: 'x' } },
    { jsonrpc: '2.0', id: 4, method: 'tools/calls' },
  ];
  child.stdin.end(`${messages.map(each => JSON.stringify(each)).join('\n')}\nnot json\n`);
  expect(await ended).toBe(0);
  const answers = output
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4]);
});

test('mcp fails in words when the sandbox or the world does not exist', async () => {
  const unreachable = await runCli(['mcp', '--url', 'http://127.0.0.1:1']);
  expect(unreachable).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('no sandbox answers'),
  });
  const { listening } = await startCli();
  const unknown = await runCli(['mcp', '--url', listening.url, '--world', 'blue']);
  expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no world "blue"') });
  const contradiction = await runCli(['mcp', '--url', listening.url, '--world', 'main', '--freeze']);
  expect(contradiction).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--freeze is for a new world'),
  });
});
