import { type Dispatcher, Pool } from 'undici';
import { expect, onTestFinished } from 'vitest';
import type { Operation } from '../../src/kernel/operation/operation.ts';
import { ACME_KEY } from '../support/sandbox.ts';
import type { Odd } from './odd.ts';
import type { Target } from './target.ts';

const AT_ONCE = 16;
/** So many requests are made up before they are sent; all of an operation would not fit. */
const IN_MEMORY = 1_000;
const INSIDE = /node_modules|node:internal|\.[tj]s:\d|\bat \w+ \(/;

/** Sends requests that depart from good ones to a sandbox, and looks at what comes of it. */
export class Attack {
  readonly #target: Target;
  readonly #pool: Pool;
  readonly #goodBodies = new Map<Operation, string>();
  /** How many odd requests were made. */
  requests = 0;

  constructor(target: Target) {
    this.#target = target;
    this.#pool = new Pool(target.origin, { connections: AT_ONCE });
    onTestFinished(() => this.#pool.close());
  }

  /**
   * Sends each odd request to the world as it is at the checkpoint `before`. All that is refused must leave it as it
   * was: where something was accepted, that is seen by sending the others alone. Any answer has to be as ours are.
   */
  async on(operation: Operation, odds: Iterable<Odd>): Promise<void> {
    for (const some of inBatches(odds, IN_MEMORY)) await this.#onSome(operation, some);
  }

  async #onSome(operation: Operation, odds: readonly Odd[]): Promise<void> {
    this.requests += odds.length;
    await this.restore();
    let before = await this.#world();
    const refused = await this.#refused(operation, odds);
    if (refused.length < odds.length && operation.method !== 'GET') {
      await this.restore();
      // Checkpoints that were saved outlive the world.
      before = await this.#world();
      const again = await this.#refused(operation, refused);
      expect([operation.id, refused.length - again.length]).toEqual([operation.id, 0]);
    }
    expect([operation.id, await this.#world()]).toEqual([operation.id, before]);
    expect(this.#target.bugs).toEqual([]);
  }

  /** Sends a request and returns its status; fails unless the answer has the right shape and tells nothing of the inside. */
  async send(operation: Operation, odd: Odd): Promise<number> {
    const path = operation.path.replace(/\{\w+\}/, odd.id ?? this.#target.idFor(operation));
    const prefix = operation.plane === 'partner' ? '/v1' : '/_sandbox';
    const { status, text } = await this.#ask({
      // The methods of our operations are all methods of HTTP.
      method: operation.method as Dispatcher.HttpMethod,
      path: `${prefix}${path}${odd.query ?? ''}`,
      headers: { 'x-service-api-key': odd.key ?? ACME_KEY, 'content-type': 'application/json' },
      body: odd.body ?? this.#goodBody(operation),
    });
    if (!isOurs(status, text)) {
      throw new Error(`${operation.id} answered ${status} ${text} to ${JSON.stringify(odd)}`);
    }
    return status;
  }

  /** The odd requests that are refused by a world to which nothing odd has happened. */
  async #refused(operation: Operation, odds: readonly Odd[]): Promise<Odd[]> {
    const refused: Odd[] = [];
    const isRefused = async (odd: Odd) => (await this.send(operation, odd)) >= 400;
    for (const some of inBatches(odds, AT_ONCE)) {
      const verdicts = await Promise.all(some.map(isRefused));
      const left = some.filter((_, index) => verdicts[index]);
      if (left.length === some.length || operation.method === 'GET') {
        refused.push(...left);
        continue;
      }
      // What was accepted may be the reason why others were not.
      await this.restore();
      for (const odd of left) {
        if (await isRefused(odd)) refused.push(odd);
        else await this.restore();
      }
    }
    return refused;
  }

  /** All that is kept of a world, but where the ids of journal entries come from: being refused is in the journal. */
  async #world() {
    const kept = ['state', 'faults', 'webhook-faults', 'checkpoints'].map(each => this.#control('GET', each));
    const [state, ...others] = (await Promise.all(kept)).map(text => JSON.parse(text));
    delete state.random.req;
    return [state, ...others];
  }

  /** Goes back to the checkpoint. */
  restore(): Promise<unknown> {
    return this.#control('POST', 'checkpoints/before/restore');
  }

  async #control(method: Dispatcher.HttpMethod, path: string): Promise<string> {
    const { status, text } = await this.#ask({ method, path: `/_sandbox/${path}` });
    if (status >= 400) throw new Error(text);
    return text;
  }

  /** Far leaner than fetch, and sends paths as they are. A stream of events counts as answered once it begins. */
  #ask(request: Dispatcher.DispatchOptions): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      let status = 0;
      const chunks: Buffer[] = [];
      this.#pool.dispatch(request, {
        onRequestStart: () => undefined,
        onResponseStart(controller, statusCode, headers) {
          status = statusCode;
          if (!String(headers['content-type']).startsWith('text/event-stream')) return;
          resolve({ status, text: '' });
          controller.abort(new Error('nobody reads on'));
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve({ status, text: Buffer.concat(chunks).toString() }),
        onResponseError: (_controller, error) => reject(error),
      });
    });
  }

  #goodBody(operation: Operation): string {
    const known = this.#goodBodies.get(operation) ?? JSON.stringify(this.#target.bodiesFor(operation)[0]);
    this.#goodBodies.set(operation, known);
    return known;
  }
}

/** Whether an answer is one of ours: a success, or a refusal with a message and without a word of the inside. */
function isOurs(status: number, text: string): boolean {
  const body = text === '' ? null : JSON.parse(text);
  if (status < 400) return status >= 200;
  const message = typeof body?.error === 'string' ? body.error : body?.error?.message;
  return status < 500 && body?.success === false && typeof message === 'string' && !INSIDE.test(text);
}

function* inBatches<T>(all: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const each of all) {
    if (batch.push(each) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
