import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import {
  haproxyTest,
  SERVER_TOKEN,
  type Shard,
  startRouter,
  startShard,
} from '../../examples/team/router.ts';
import { requester } from '../../support/cli-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { type Json, newCardholder, START } from '../../support/sandbox.ts';

const NAMES = ['a', 'b', 'c'];
const WORLDS = 300;
const WORKERS = 64;
/** Rounds of all workers together between two steps of the plan: a process is killed, or started again. */
const ROUNDS_PER_STEP = size(1, 50) * WORKERS;
const DURATION_MS = size(0, 3_600_000);
/** After so many, a world is reset. */
const MAX_CARDHOLDERS = 50;
/** What may be lost when a process is killed. */
const UNSAVED_MS = 2_000;

const bearer = { authorization: `Bearer ${SERVER_TOKEN}` };

/** Status of a response of the router in place of a process that is down; null when the connection broke. */
const isOutage = (status: number | null) => status === null || status === 502 || status === 503;

/** A process ended while a worker of it was at work. */
class Outage extends Error {}

interface Worker {
  readonly world: Json;
  /** The external ids of its cardholders, with the wall time at which each was created. */
  readonly created: Map<string, number>;
  /** How often its process ended while it was at work. */
  outages: number;
}

/** Calls the API and the control plane of the world of a worker. Throws an Outage where its process is down. */
function callsOf({ id, partners }: Json, url: string) {
  const { ask } = requester(url);
  const call = async (expected: number, method: string, path: string, body?: unknown): Promise<Json> => {
    const headers = path.startsWith('/v1') ? { 'x-service-api-key': partners[0].apiKey } : bearer;
    const response = await ask(method, path, body, headers).catch(() => null);
    if (isOutage(response?.status ?? null)) throw new Outage(`${method} ${path}: ${response?.status}`);
    expect([id, method, path, response?.status, response?.status === expected ? '' : response?.text]).toEqual(
      [...[id, method, path, expected, '']],
    );
    return response?.body;
  };
  return {
    api: (expected: number, method: string, path: string, body?: unknown) =>
      call(expected, method, `/v1${path}`, body),
    control: (expected: number, method: string, path: string, body?: unknown) =>
      call(expected, method, `/_sandbox/worlds/${id}${path}`, body),
  };
}

/**
 * One round of a worker: a cardholder, a card and a payment, each compared with what the worker has done before. A world is
 * reset now and then, as tests do.
 */
async function work({ world, created }: Worker, url: string): Promise<void> {
  const { api, control } = callsOf(world, url);
  if (created.size >= MAX_CARDHOLDERS) {
    await control(204, 'POST', '/reset');
    created.clear();
  }
  const body = newCardholder();
  const holder = await api(201, 'POST', '/partner/cardholders', body);
  created.set(String(body.externalUserId), performance.now());
  const [program] = (await api(200, 'GET', '/partner/card-programs')).data;
  await api(200, 'POST', `/partner/cardholders/${holder.id}/kyc`, { cardProgramId: program.id });
  await control(200, 'POST', '/clock/advance', { duration: '2s' });
  expect(await api(200, 'GET', `/partner/cardholders/${holder.id}`)).toMatchObject({ kycStatus: 'approved' });
  const before = await api(200, 'GET', '/partner/balance');
  const card = await control(201, 'POST', '/cards/issue', {
    cardholderId: holder.id,
    cardProgramId: program.id,
  });
  const payment = await control(201, 'POST', '/transactions', { cardId: card.id, amount: 12.5 });
  expect(payment).toMatchObject({ status: 'authorized', amount: 12.5 });
  const after = await api(200, 'GET', '/partner/balance');
  expect(after).toMatchObject({ available: before.available - 12.5, held: before.held + 12.5 });
  const { total } = await api(200, 'GET', '/partner/cardholders?limit=1');
  expect(total).toBe(created.size);
  const { externalUserId } = await api(200, 'GET', `/partner/cardholders/${holder.id}`);
  expect(externalUserId).toBe(body.externalUserId);
}

/** Waits until the process of a worker is back, and checks what it has kept. */
async function recover(worker: Worker, url: string, killedAt: number): Promise<void> {
  const { api } = callsOf(worker.world, url);
  for (;;) {
    try {
      const kept = new Set<string>();
      for (let page = 1, total = 1; kept.size < total; page++) {
        const known = await api(200, 'GET', `/partner/cardholders?limit=100&page=${page}`);
        total = known.total;
        for (const { externalUserId } of known.data) kept.add(externalUserId);
      }
      for (const [id, at] of worker.created) {
        if (kept.has(id)) continue;
        expect(at, `${worker.world.id}: ${id} is lost`).toBeGreaterThan(killedAt - UNSAVED_MS);
        worker.created.delete(id);
      }
      for (const id of kept) if (!worker.created.has(id)) worker.created.set(id, killedAt);
      worker.outages += 1;
      return;
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
    }
  }
}

haproxyTest(
  'of three processes behind HAProxy, with 300 worlds and 64 workers, one is killed and started again: no worker of another one notices',
  { timeout: PROOF_TIMEOUT_MS },
  async context => {
    const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-team-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const start = (name: string, port = 0) => startShard(name, ['--state', `${folder}/${name}/`], port);
    const shards: Shard[] = await Promise.all(NAMES.map(name => start(name)));
    const url = await startRouter(shards);
    const { ask } = requester(url);
    const options = { fixtures: ['empty'], clock: START, freeze: true, ttl: '0' };
    const worlds: Json[] = [];
    const create = async () => {
      while (worlds.length < WORLDS) {
        const { status, body } = await ask('POST', '/_sandbox/worlds', options, bearer);
        expect(status).toBe(201);
        worlds.push(body);
      }
    };
    await Promise.all(Array.from({ length: 8 }, create));
    const workers = worlds
      .slice(0, WORKERS)
      .map((world): Worker => ({ world, created: new Map(), outages: 0 }));
    const idle = worlds.slice(WORKERS);
    const shardOf = ({ id }: Json) => String(id).slice(0, 1);

    let rounds = 0;
    let kills = 0;
    let down: Shard | null = null;
    let isStepping = false;
    /** By name of the process. */
    const killedAt: Record<string, number> = {};
    const end = performance.now() + DURATION_MS;
    /** Done once a process was killed and started again, with work before, between and after. */
    const isDone = () => rounds >= 3 * ROUNDS_PER_STEP && performance.now() >= end && down === null;
    const nextStep = async () => {
      if (down === null) {
        const index = kills % NAMES.length;
        const victim = shards[index];
        if (victim === undefined) throw new Error('no process');
        kills += 1;
        killedAt[victim.name] = performance.now();
        victim.process.child.kill('SIGKILL');
        await victim.process.ended;
        down = victim;
      } else {
        const { name, port } = down;
        shards[NAMES.indexOf(name)] = await start(name, port);
        down = null;
      }
    };
    const run = async (worker: Worker) => {
      const name = shardOf(worker.world);
      while (!isDone()) {
        try {
          await work(worker, url);
        } catch (error) {
          if (!(error instanceof Outage)) throw error;
          expect(Object.keys(killedAt), `${worker.world.id}: ${error.message}`).toContain(name);
          await recover(worker, url, killedAt[name] ?? 0);
        }
        rounds += 1;
        if (rounds % ROUNDS_PER_STEP !== 0 || isStepping || isDone()) continue;
        isStepping = true;
        await nextStep();
        isStepping = false;
      }
    };
    await Promise.all(workers.map(run));

    const victims = Object.keys(killedAt);
    for (const { world, outages } of workers) {
      if (!victims.includes(shardOf(world))) expect([world.id, outages]).toEqual([world.id, 0]);
    }
    expect(workers.some(({ outages }) => outages > 0)).toBe(true);
    for (const world of idle) {
      const { api } = callsOf(world, url);
      expect((await api(200, 'GET', '/partner/cardholders')).total).toBe(0);
    }
    for (const { process } of shards) expect(process.stderr()).not.toMatch(/bug|error|not saved/);
    recordResult(context, `${WORLDS} worlds, ${WORKERS} workers; 0 of them saw another process end`);
  },
);
