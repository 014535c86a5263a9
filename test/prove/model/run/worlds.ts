import fc from 'fast-check';
import type { ApiResponse } from '../../../../src/core/request/http.ts';
import { realTime } from '../../../../src/core/time/realtime.ts';
import type { OutgoingWebhook, Transport } from '../../../../src/core/world/transport.ts';
import type { CoreOptions } from '../../../../src/sandbox/options.ts';
import { createSandboxCore, type SandboxCore } from '../../../../src/sandbox/sandbox.ts';
import { CARD_NETWORK } from '../../../support/fixtures/card-network.ts';
import type { SendRequest } from '../../../support/in-process.ts';
import { ACME_KEY, GLOBEX_KEY, START } from '../../../support/sandbox.ts';
import type { ActionSequence } from '../actions.ts';
import { Model } from '../model.ts';
import { receivers } from '../receivers.ts';
import { type Assumed, toOption } from '../settings.ts';
import { runSequence } from './run-sequence.ts';

const HOOKS = 'https://hooks.example.com/';

/** What happens in one world: a sequence of actions, and the options of the world. */
export interface WorldRun {
  readonly sequence: ActionSequence;
  readonly seed: number;
  /** Its settings. */
  readonly assumed?: Assumed | undefined;
}

/** Everything that left a world, in order. Equal for equal runs, whatever the other worlds of the server do. */
export type WorldTrace = readonly string[];

/** Reads the world after the run: what the model does not compare. */
const FINAL_READS = ['/state', '/deliveries', '/requests', '/checkpoints', '/clock', '/partners'];

/** Runs `worlds` in one server, interleaved at random. Resolves with their traces. Throws at the first difference from the model. */
export async function runWorlds(worlds: readonly WorldRun[], order: () => number): Promise<WorldTrace[]> {
  const turns = new Turns(worlds.length, order);
  const server = new Server();
  try {
    return await Promise.all(
      worlds.map(async (run, number) => {
        const place = await server.createWorld(run, number);
        return server.trace(run, { ...place, turn: () => turns.next() }).finally(() => turns.leave());
      }),
    );
  } finally {
    server.stop();
  }
}

/** Runs one world alone, as the first world of a server of its own. */
export async function runAlone(run: WorldRun, number: number): Promise<WorldTrace> {
  const server = new Server({ seed: run.seed });
  try {
    const keys = [ACME_KEY, GLOBEX_KEY];
    return await server.trace(run, { number, world: null, keys });
  } finally {
    server.stop();
  }
}

export interface Place {
  /** The number of the run, by which the receiver tells the worlds apart. */
  readonly number: number;
  /** The id of the world; null for `main`. */
  readonly world: string | null;
  /** Its keys for those of the fixture. */
  readonly keys: readonly string[];
  /** Resolves when it is the turn of this world. */
  readonly turn?: () => Promise<void>;
}

/** A sandbox without a surface, whose receiver knows the worlds by the paths of their webhook URLs. */
export class Server {
  protected readonly core: SandboxCore;
  readonly #receivers = new Map<
    number,
    (webhook: OutgoingWebhook, signal: AbortSignal) => ReturnType<Transport['send']>
  >();
  readonly #bugs: unknown[] = [];

  constructor(options: CoreOptions = {}) {
    this.core = createSandboxCore(
      { fixtures: CARD_NETWORK, clock: START, freeze: true, retrySpeed: 60, rateLimit: 0, ...options },
      {
        onBug: error => this.#bugs.push(error),
        realTime: { ...realTime, now: () => Date.parse(START), elapsed: () => 0 },
        transport: {
          send: (webhook, signal) => {
            const [, number] = /^https:\/\/hooks\.example\.com\/(\d+)\//.exec(webhook.url) ?? [];
            const receiver = this.#receivers.get(Number(number));
            return receiver === undefined
              ? Promise.reject(new Error(`no receiver at ${webhook.url}`))
              : receiver(webhook, signal);
          },
          close: () => undefined,
        },
      },
    );
  }

  /** Sends a request. Resolves with the response as it is, text and all. */
  ask(
    method: string,
    target: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse> {
    return this.#handle(method, target, body, headers);
  }

  /** Handles a request without a surface. */
  async #handle(method: string, target: string, body?: unknown, headers: Record<string, string> = {}) {
    const [path = '', query = ''] = target.split('?');
    const request = {
      method,
      path,
      query,
      headers: { ...headers, host: '127.0.0.1', 'content-type': 'application/json' },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      remoteAddress: '127.0.0.1',
    };
    return path.startsWith('/v1') ? this.core.handle(request) : await this.core.control(request);
  }

  /** Creates a world for a run. */
  async createWorld({ seed, assumed }: WorldRun, number: number): Promise<Place> {
    const body = { id: `w-${number}`, seed, ...(assumed && { assume: toOption(assumed) }) };
    const created = await this.ask('POST', '/_sandbox/worlds', body);
    if (created.status !== 201) throw new Error(created.body);
    const keys = JSON.parse(created.body).partners.map((each: { apiKey: string }) => each.apiKey);
    return { number, world: body.id, keys };
  }

  /** Runs the actions in a place and in the model. Resolves with the trace. Throws at the first difference. */
  async trace(run: WorldRun, place: Place): Promise<WorldTrace> {
    const trace: string[] = [];
    const send = await this.run(run, place, line => trace.push(line));
    for (const path of FINAL_READS) await send(null, 'GET', path);
    return normalize(trace, controlOf(place));
  }

  /** Does the same without a trace. Resolves with what sends further requests. `onLine` gets each line of the trace. */
  async run(
    { sequence, assumed }: WorldRun,
    place: Place,
    onLine?: (line: string) => void,
  ): Promise<SendRequest> {
    const { number, keys, turn } = place;
    const problems: string[] = [];
    const control = controlOf(place);
    const ownKeys = new Map([ACME_KEY, GLOBEX_KEY].map((key, index) => [key, keys[index] ?? '']));
    const send: SendRequest = async (key, method, path, body) => {
      await turn?.();
      const sent = withOwnUrl(body, number);
      const response =
        key === null
          ? await this.ask(method, control + path, sent)
          : await this.ask(method, `/v1${path}`, sent, { 'x-service-api-key': ownKeys.get(key) ?? key });
      onLine?.(`${method} ${path} ${response.status} ${JSON.stringify(response.headers)} ${response.body}`);
      return { status: response.status, body: response.body === '' ? null : JSON.parse(response.body) };
    };
    const now = async () => Date.parse(JSON.parse((await this.#handle('GET', `${control}/clock`)).body).now);
    const receiver = receivers(() => sequence.failurePercent, now, problems, assumed);
    this.#receivers.set(number, (webhook, signal) => {
      onLine?.(`webhook ${JSON.stringify(webhook)}`);
      return receiver.send({ ...webhook, url: webhook.url.replace(`${HOOKS}${number}/`, HOOKS) }, signal);
    });
    await runSequence(send, new Model(sequence.failurePercent, assumed), sequence.actions);
    this.#receivers.delete(number);
    if (problems.length > 0) throw new Error(problems[0]);
    return send;
  }

  /** Stops it. Throws the first internal error that it reported. */
  stop(): void {
    this.core.stop();
    if (this.#bugs.length > 0) throw this.#bugs[0];
  }
}

/** The path of the control plane of a place. */
function controlOf({ world }: Place): string {
  return world === null ? '/_sandbox' : `/_sandbox/worlds/${world}`;
}

/** The body with the webhook URL of this world, by which the receiver knows it. A state document has it already. */
function withOwnUrl(body: unknown, number: number): unknown {
  if (body === undefined) return undefined;
  const shared = /(?<="webhookUrl":"https:\/\/hooks\.example\.com\/)(?!\d+\/)/g;
  return JSON.parse(JSON.stringify(body).replaceAll(shared, `${number}/`));
}

/** A hint in the journal that another world has what a request names, or that none has. Alone, there is no other. */
const HINT = /,?"[^"]* (?:belongs to world|is the id of no) [^"]*"/g;

/**
 * The trace with what distinguishes worlds replaced: each key by its number, and the prefix of the control plane. Hints
 * about other worlds are removed.
 */
function normalize(trace: readonly string[], control: string): WorldTrace {
  const keys = new Map<string, string>();
  return trace.map(line => {
    let excess = 0;
    const shortened = (text: string, replacement: string) => {
      excess += text.length - replacement.length;
      return replacement;
    };
    const text = line
      .replaceAll(HINT, hint => shortened(hint, ''))
      .replaceAll(/sk_test_[\w-]+/g, key => {
        const name = keys.get(key) ?? `key_${keys.size}`;
        keys.set(key, name);
        return shortened(key, name);
      });
    return text
      .replace(/(?<="Content-Length":")\d+/, length => String(Number(length) - excess))
      .replaceAll(`${control}/`, '/_sandbox/');
  });
}

/** Lets several runs go on one step at a time, in a random order. */
class Turns {
  readonly #order: () => number;
  readonly #waiting: (() => void)[] = [];
  #running: number;

  constructor(count: number, order: () => number) {
    this.#running = count;
    this.#order = order;
  }

  /** Resolves when it is the turn of the caller. Half of the time, the step before it is still under way. */
  next(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve);
      this.#running -= 1;
      this.#choose();
    });
  }

  /** Ends the turns of a run. */
  leave(): void {
    this.#running -= 1;
    this.#choose();
  }

  #choose(): void {
    // Some steps run at the same time, so that promises of several worlds are pending together.
    while (this.#waiting.length > 0 && this.#running < 4) {
      const [resolve] = this.#waiting.splice(this.#order() % this.#waiting.length, 1);
      this.#running += 1;
      resolve?.();
    }
  }
}

/** Runs for a number of worlds. Every fourth one repeats the seed and the actions of another. */
export function worldRuns(count: number, sequences: readonly ActionSequence[]): WorldRun[] {
  return Array.from({ length: count }, (_, number) => {
    const original = number % 4 === 3 ? number - 3 : number;
    const sequence = sequences[original % sequences.length];
    if (sequence === undefined) throw new Error('there is no sequence');
    return { sequence, seed: original % 8 };
  });
}

/** A source of random numbers that is the same on every machine. */
export function randomOrder(seed: number): () => number {
  const numbers = fc.sample(fc.nat(), { numRuns: 10_000, seed });
  let next = 0;
  return () => numbers[next++ % numbers.length] ?? 0;
}
