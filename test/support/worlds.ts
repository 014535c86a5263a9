import { Feed } from '../../src/core/journal/feed.ts';
import { type WorldSetup, WorldState } from '../../src/core/world/world-state.ts';
import { tables } from '../../src/sandbox/tables.ts';
import { tasks } from '../../src/sandbox/tasks.ts';
import { DEFAULT_SETTINGS } from '../../src/service/assumptions/settings.ts';
import { manualTime } from './manual-time.ts';
import { type Json, type Reply, START, type TestSandbox } from './sandbox.ts';

/** A world without partners, with its clock frozen at START, for tests of behaviour that no surface shows. */
export function createWorld(onEvent: WorldSetup['onEvent'] = () => undefined): WorldState {
  return new WorldState({
    seed: 42,
    kycDelayMs: 2_000,
    limitsRates: true,
    rateLimitPerMinute: 0,
    clockStart: Date.parse(START),
    clockFrozen: true,
    idLength: null,
    retrySpeed: 60,
    assumptions: DEFAULT_SETTINGS.values,
    secretKey: null,
    names: null,
    people: undefined,
    disturbance: null,
    id: 'main',
    toWorldKey: key => key,
    tables,
    tasks,
    origin: () => 'http://127.0.0.1',
    feed: new Feed(),
    transport: {
      send: () => Promise.reject(new Error('this transport sends nothing')),
      close: () => undefined,
    },
    forwarding: () => ({ url: null, map: {}, allowHttp: false }),
    realTime: manualTime().realTime,
    onBug(error) {
      throw error;
    },
    onEvent,
  });
}

/** A world of a server besides `main`, and shortcuts to call it. */
export interface TestWorld {
  readonly id: string;
  /** The keys of its partners, in order. */
  readonly keys: readonly string[];
  /** Calls the API with the key of its first partner. */
  api(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Calls its control plane; the path is below `/_sandbox/worlds/{id}`. */
  control(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Its state, as text. */
  state(): Promise<string>;
}

/** Creates a world. Throws when it is refused. */
export async function newWorld(sandbox: TestSandbox, options: Json = {}): Promise<TestWorld> {
  const { status, body } = await sandbox.control('POST', '/worlds', options);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return worldOf(sandbox, body);
}

/** The world that a response describes. */
export function worldOf(sandbox: TestSandbox, { id, partners }: Json): TestWorld {
  const keys: string[] = partners.map((partner: Json) => partner.apiKey);
  const control: TestWorld['control'] = (method, path, body) =>
    sandbox.control(method, `/worlds/${id}${path}`, body);
  return {
    id,
    keys,
    api: (method, path, body) => sandbox.api(method, path, body, { 'x-service-api-key': keys[0] ?? '' }),
    control,
    state: async () => JSON.stringify((await control('GET', '/state')).body),
  };
}
