import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, type TestContext } from 'vitest';
import { readRecord } from '../../../src/control/history/record/read.ts';
import {
  createSandbox,
  defineFixture,
  type Sandbox,
  type ServerOptions,
  startServer,
} from '../../../src/index.ts';
import { differingMembers } from '../../../src/sandbox/replay/differences.ts';
import { playRecord } from '../../../src/sandbox/replay/player.ts';
import type { SandboxCore } from '../../../src/sandbox/sandbox.ts';
import { recordResult } from '../../support/proof/proof-size.ts';
import { ACME_KEY, GLOBEX_KEY, type Json } from '../../support/sandbox.ts';
import { type Call, Known, REQUESTS, type Sent } from './requests.ts';
import type { Receiving, Sequence, WorldOptions } from './sequence.ts';

/** Why an entry is not compared. */
const SKIPPED = [
  'a person opened a page',
  'its body is not text, or is larger than 1 MiB',
  'it holds a production key',
  'the rate limit refused it, whose windows are of wall time',
  'it was refused because of what happened at the same time',
  'it names entries before this record',
  'it names a fixture that this record does not have',
];

/** Cap on the calls of receivers in a sequence: what they cause is received, too. */
const MAX_CALLS = 6;

const NAMES = { service: 'bankly', idp1: 'verifa', idp2: 'docuid' };

/** A world that is called. */
interface TestWorld {
  readonly id: string;
  readonly known: Known;
}

/** What a sequence came to. */
export interface Proved {
  readonly records: number;
  readonly compared: number;
}

/** Proves it for some sequences, always the same ones for a seed. */
export async function proveSequences(
  context: TestContext,
  sequences: fc.Arbitrary<Sequence>,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<void> {
  let [records, compared] = [0, 0];
  await fc.assert(
    fc.asyncProperty(sequences, async sequence => {
      const proved = await runSequence(sequence);
      records += proved.records;
      compared += proved.compared;
    }),
    { numRuns: count, seed, endOnFailure: true },
  );
  recordResult(context, `${records} records, ${compared} responses, all the same`);
}

/** Runs a sequence, and plays the records of all its worlds. Throws where one does not play as it was. */
export async function runSequence(sequence: Sequence): Promise<Proved> {
  await using run = await Run.start(sequence);
  for (const step of sequence.steps) await run.step(step);
  await run.settle();
  let [records, compared] = [0, 0];
  for (const world of run.worlds) {
    for (const count of await run.prove(world)) {
      records += 1;
      compared += count;
    }
  }
  return { records, compared };
}

class Run {
  readonly worlds: TestWorld[] = [];
  readonly #sequence: Sequence;
  readonly #sandbox: Sandbox;
  readonly #server: Server | null;
  #received = 0;
  #calls = 0;
  readonly #callsOfReceivers: (Promise<void> | undefined)[] = [];

  private constructor(sequence: Sequence, sandbox: Sandbox, server: Server | null) {
    this.#sequence = sequence;
    this.#sandbox = sandbox;
    this.#server = server;
  }

  static async start(sequence: Sequence): Promise<Run> {
    let run: Run | undefined;
    const receive = async (signal: AbortSignal) => run?.receive(signal) ?? 200;
    const server = sequence.overHttp ? await listen(receive) : null;
    const options = {
      ...(sequence.main as ServerOptions),
      freeze: sequence.main.freeze ?? true,
      assume: sequence.assume,
      names: sequence.names ? NAMES : {},
      fixtures: sequence.fixtureInCode ? ['starter', moreCards] : ['starter'],
      ...(server === null
        ? {
            webhookReceiver: async ({ signal }: Request) =>
              new Response(null, { status: await receive(signal) }),
          }
        : { map: [`https://hooks.example=http://127.0.0.1:${(server.address() as AddressInfo).port}`] }),
    };
    const sandbox = sequence.overHttp ? await startServer(options) : createSandbox(options);
    await sandbox.ready;
    run = new Run(sequence, sandbox, server);
    await run.#addMain();
    for (const [index, world] of sequence.worlds.entries()) await run.#addWorld(`w${index}`, world);
    return run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sandbox.close();
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  async step({ world, calls }: Sequence['steps'][number]): Promise<void> {
    const target = this.worlds[world % this.worlds.length] as TestWorld;
    await Promise.all(calls.map(call => this.#call(target, call)));
  }

  /** Receives a webhook. Resolves with the status of the response. */
  async receive(signal: AbortSignal): Promise<number> {
    const { receivers } = this.#sequence;
    const receiving = receivers[this.#received++ % receivers.length] as Receiving;
    switch (receiving.kind) {
      case 'respond':
        return receiving.status;
      case 'wait':
        await after(receiving.ms);
        return 200;
      case 'hang':
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
        return 200;
      case 'call':
        this.#calls += 1;
        if (this.#calls <= MAX_CALLS) {
          const world = this.worlds[this.#received % this.worlds.length];
          const call = world && this.#call(world, receiving.call);
          this.#callsOfReceivers.push(call);
          await call;
        }
        return 200;
    }
  }

  /** Freezes all clocks. Resolves once nothing is in flight, so that what is read later is what the records end with. */
  async settle(): Promise<void> {
    for (const world of this.worlds) {
      await this.#send(world, { plane: 'control', method: 'POST', path: '/clock/freeze', body: {} });
      await this.#send(world, { plane: 'control', method: 'POST', path: '/deliveries/settle' });
    }
    const calls = this.#callsOfReceivers.splice(0);
    await Promise.all(calls);
    if (calls.length > 0) await this.settle();
  }

  /** Plays the record of a world, of a part of it and of its end. Returns how many responses were compared in each. */
  async prove(world: TestWorld): Promise<number[]> {
    const before = await this.#view(world);
    const record = await this.#export(world, '');
    const counts = [await this.#play(world, record, before)];
    const ids = before.history.map(({ id }: Json) => id).reverse();
    const [from, to] = this.#sequence.window
      .map(share => ids[Math.floor((share * ids.length) / 100)])
      .sort((a, b) => ids.indexOf(a) - ids.indexOf(b));
    counts.push(await this.#play(world, await this.#export(world, `?from=${from}&to=${to}`)));
    counts.push(await this.#play(world, await this.#export(world, `?from=${from}`)));
    return counts;
  }

  async #play({ id }: TestWorld, record: string, expected?: Json): Promise<number> {
    const folder = mkdtempSync(join(tmpdir(), 'record-'));
    const file = join(folder, `${id}.record.jsonl`);
    writeFileSync(file, record);
    try {
      const read = await readRecord(file);
      const { sandbox, played } = await playRecord(read);
      const skipped = played.skipped.map(({ reason }) => reason).filter(reason => !SKIPPED.includes(reason));
      const { different, missing } = played;
      const problems = {
        different: different.map(({ entry: { id, method, path, body, status }, members }) => ({
          id,
          method,
          path,
          body,
          status,
          members,
        })),
        missing,
        skipped,
      };
      expect(problems).toEqual({ different: [], missing: [], skipped: [] });
      if (expected !== undefined) {
        const now = await viewOf(path => readHere(sandbox, path));
        const noted = played.skipped.map(({ entry }) => entry.requestId);
        now.requests = now.requests.filter(({ id }: Json) => !noted.includes(id));
        const requests = expected.requests.filter(({ id }: Json) => !noted.includes(id));
        for (const [name, value] of Object.entries<Json>(now)) {
          const there = name === 'requests' ? requests : expected[name];
          expect(differingMembers(JSON.stringify(there), JSON.stringify(value)), name).toEqual([]);
        }
      }
      sandbox.stop();
      return played.compared;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  #view(world: TestWorld): Promise<Json> {
    return viewOf(path => this.#read(world, path));
  }

  async #read(world: TestWorld, path: string): Promise<Json> {
    return JSON.parse(await (await this.#fetch(world, { plane: 'control', method: 'GET', path })).text());
  }

  async #export(world: TestWorld, query: string): Promise<string> {
    const sent = await this.#fetch(world, {
      plane: 'control',
      method: 'GET',
      path: `/history/export${query}`,
    });
    const text = await sent.text();
    if (sent.status !== 200) throw new Error(text);
    return text;
  }

  async #addMain(): Promise<void> {
    const main: TestWorld = { id: 'main', known: new Known() };
    main.known.keys.push(ACME_KEY, GLOBEX_KEY);
    await this.#begin(main);
  }

  async #addWorld(id: string, { origin, options }: Sequence['worlds'][number]): Promise<void> {
    const [main] = this.worlds;
    if (main === undefined) return;
    const { seed: _seed, clock: _clock, ...kept } = options;
    const start: WorldOptions & Json =
      origin === 'fixtures'
        ? options
        : origin === 'copy'
          ? { ...kept, from: 'main' }
          : {
              ...kept,
              state: JSON.parse(await this.#send(main, { plane: 'control', method: 'GET', path: '/state' })),
            };
    const text = await this.#send(main, {
      plane: 'control',
      method: 'POST',
      path: '/worlds',
      body: { id, ...start },
    });
    const known = new Known();
    if (!text.startsWith('{"id"')) throw new Error(text);
    for (const { apiKey } of JSON.parse(text).partners) known.keys.push(apiKey);
    await this.#begin({ id, known });
  }

  /** Configures the webhooks of a world, and takes note of its records. */
  async #begin(world: TestWorld): Promise<void> {
    this.worlds.push(world);
    for (const call of ['configure', 'getState']) await this.#call(world, { kind: call, a: 0, b: 0 });
    for (const path of ['cards', 'cardholders', 'transactions'])
      await this.#send(world, { plane: 'api', method: 'GET', path: `/v1/partner/${path}?limit=6` });
  }

  async #call(world: TestWorld, call: Call): Promise<void> {
    const [, build] = REQUESTS[call.kind] ?? [];
    if (build === undefined) throw new Error(`there is no request ${call.kind}`);
    const sent = build(world.known, call);
    const text = await this.#send(world, sent, call.b);
    if (call.kind === 'getState') world.known.states.push(JSON.parse(text));
  }

  /** Sends a request. Resolves with the text of the response; without one when it was lost. */
  async #send(world: TestWorld, sent: Sent, key = 0): Promise<string> {
    try {
      const response = await this.#fetch(world, sent, key);
      const text = await response.text();
      world.known.learn(text);
      return text;
    } catch (error) {
      if (error instanceof TypeError) return '';
      throw error;
    }
  }

  #fetch(world: TestWorld, { plane, method, path, body, raw, headers }: Sent, key = 0): Promise<Response> {
    const { names, overHttp } = this.#sequence;
    const target = plane === 'control' ? controlPath(world, path) : path;
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const init = {
      method,
      redirect: 'manual',
      headers: {
        ...(plane === 'api' && { [`x-${names ? NAMES.service : 'service'}-api-key`]: world.known.key(key) }),
        ...(plane === 'control' && { 'x-sandbox-names': 'neutral' }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text !== undefined && {
        body:
          names && plane === 'api' && typeof text === 'string'
            ? text.replaceAll('idp1', NAMES.idp1).replaceAll('idp2', NAMES.idp2)
            : text,
      }),
    } as const;
    return overHttp ? fetch(this.#sandbox.url + target, init) : this.#sandbox.fetch(target, init);
  }
}

function controlPath({ id }: TestWorld, path: string): string {
  const ofServer = /^\/(?:worlds|stop|stories|health)/.test(path);
  return id === 'main' || ofServer ? `/_sandbox${path}` : `/_sandbox/worlds/${id}${path}`;
}

/** What a world shows of its past and decides its future. */
async function viewOf(read: (path: string) => Promise<Json>): Promise<Json> {
  const requests = await read('/requests?limit=1000');
  const [state, deliveries, history, clock] = [
    await read('/state'),
    await read('/deliveries?limit=100'),
    await read('/history'),
    await read('/clock'),
  ];
  // Opening a page draws a number, and is not repeated.
  delete state.random['page-nonce'];
  // Wall time passes while a call that waited is answered.
  for (const entry of history) delete entry.at;
  return { state, deliveries, history, clock, requests: requests.map(withoutWallTime) };
}

/** An entry of the journal without what depends on wall time, or on other worlds. */
function withoutWallTime({ durationMs: _duration, hints: _hints, response, ...entry }: Json): Json {
  const headers = Object.entries(response.headers).filter(([name]) => !name.startsWith('x-ratelimit-'));
  return { ...entry, response: { ...response, headers: Object.fromEntries(headers) } };
}

/** Reads from the control plane of a sandbox that has played a record. */
async function readHere(sandbox: SandboxCore, target: string): Promise<Json> {
  const [path = '', query = ''] = target.split('?');
  const { body, content } = await sandbox.control({
    method: 'GET',
    path: `/_sandbox${path}`,
    query,
    headers: { host: 'localhost' },
    body: new Uint8Array(),
    remoteAddress: '127.0.0.1',
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of content ?? []) pieces.push(piece);
  return JSON.parse(body + Buffer.concat(pieces).toString());
}

/** A fixture that only code can have. */
const moreCards = defineFixture(({ cardholders }) => {
  void cardholders;
});

function listen(receive: (signal: AbortSignal) => Promise<number>): Promise<Server> {
  const server = createServer((request, response) => {
    const closed = new AbortController();
    request.socket.on('close', () => closed.abort());
    void textOf(request)
      .then(() => receive(closed.signal))
      .then(status => response.writeHead(status).end());
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}
