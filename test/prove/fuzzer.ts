import { type Dispatcher, Pool } from 'undici';
import { expect, onTestFinished } from 'vitest';
import type { Operation } from '../../src/core/operation/operation.ts';
import { ACME_KEY } from '../support/sandbox.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import type { MalformedRequest } from './malformed-request.ts';

const CONCURRENCY = 16;
/** Requests generated before they are sent. All requests of an operation would not fit into memory. */
const MAX_BATCH = 1_000;
/** Text that would reveal internals. */
const INTERNALS = /node_modules|node:internal|\.[tj]s:\d|\bat \w+ \(/;

/** Sends malformed requests to a sandbox and checks the responses and the state after them. */
export class Fuzzer {
  readonly #target: FuzzTarget;
  readonly #pool: Pool;
  readonly #validBodies = new Map<Operation, string>();
  /** The number of malformed requests sent. */
  requests = 0;

  constructor(target: FuzzTarget) {
    this.#target = target;
    this.#pool = new Pool(target.origin, { connections: CONCURRENCY });
    onTestFinished(() => this.#pool.close());
  }

  /**
   * Sends each request to the world of the checkpoint `before`. Refused requests must not change it; when some requests
   * were accepted, the refused ones are sent again alone to check that. Every response must be well-formed.
   */
  async run(operation: Operation, requests: Iterable<MalformedRequest>): Promise<void> {
    for (const batch of inBatches(requests, MAX_BATCH)) await this.#runBatch(operation, batch);
  }

  async #runBatch(operation: Operation, requests: readonly MalformedRequest[]): Promise<void> {
    this.requests += requests.length;
    await this.restore();
    let before = await this.#world();
    const refused = await this.#refused(operation, requests);
    if (refused.length < requests.length && operation.method !== 'GET') {
      await this.restore();
      // Checkpoints survive the restore.
      before = await this.#world();
      const again = await this.#refused(operation, refused);
      expect([operation.id, refused.length - again.length]).toEqual([operation.id, 0]);
    }
    expect([operation.id, await this.#world()]).toEqual([operation.id, before]);
    expect(this.#target.bugs).toEqual([]);
  }

  /** Sends a request and returns its status. Throws unless the response is well-formed and reveals no internals. */
  async send(operation: Operation, request: MalformedRequest): Promise<number> {
    const path = operation.path.replace(/\{\w+\}/, request.id ?? this.#target.idFor(operation));
    const prefix = operation.plane === 'partner' ? '/v1' : '/_sandbox';
    const { status, text } = await this.#send({
      // Every method of an operation is an HTTP method.
      method: operation.method as Dispatcher.HttpMethod,
      path: `${prefix}${path}${request.query ?? ''}`,
      headers: { 'x-service-api-key': request.key ?? ACME_KEY, 'content-type': 'application/json' },
      body: request.body ?? this.#validBody(operation),
    });
    if (!isWellFormed(status, text)) {
      throw new Error(`${operation.id} returned ${status} ${text} to ${JSON.stringify(request)}`);
    }
    return status;
  }

  /** The requests that the unchanged world refuses. */
  async #refused(operation: Operation, requests: readonly MalformedRequest[]): Promise<MalformedRequest[]> {
    const refused: MalformedRequest[] = [];
    const isRefused = async (request: MalformedRequest) => (await this.send(operation, request)) >= 400;
    for (const batch of inBatches(requests, CONCURRENCY)) {
      const verdicts = await Promise.all(batch.map(isRefused));
      const candidates = batch.filter((_, index) => verdicts[index]);
      if (candidates.length === batch.length || operation.method === 'GET') {
        refused.push(...candidates);
        continue;
      }
      // An accepted request may be the reason why others were refused.
      await this.restore();
      for (const request of candidates) {
        if (await isRefused(request)) refused.push(request);
        else await this.restore();
      }
    }
    return refused;
  }

  /** Everything that a world holds, except the random state of journal IDs: refused requests are in the journal. */
  async #world() {
    const parts = ['state', 'faults', 'webhook-faults', 'checkpoints'].map(each =>
      this.#control('GET', each),
    );
    const [state, ...others] = (await Promise.all(parts)).map(text => JSON.parse(text));
    delete state.random.req;
    return [state, ...others];
  }

  /** Restores the checkpoint. */
  restore(): Promise<unknown> {
    return this.#control('POST', 'checkpoints/before/restore');
  }

  async #control(method: Dispatcher.HttpMethod, path: string): Promise<string> {
    const { status, text } = await this.#send({ method, path: `/_sandbox/${path}` });
    if (status >= 400) throw new Error(text);
    return text;
  }

  /** Much faster than fetch, and sends paths unchanged. An event stream resolves with its headers. */
  #send(request: Dispatcher.DispatchOptions): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      let status = 0;
      const chunks: Buffer[] = [];
      this.#pool.dispatch(request, {
        onRequestStart: () => undefined,
        onResponseStart(controller, statusCode, headers) {
          status = statusCode;
          if (!String(headers['content-type']).startsWith('text/event-stream')) return;
          resolve({ status, text: '' });
          controller.abort(new Error('the stream is not read'));
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve({ status, text: Buffer.concat(chunks).toString() }),
        onResponseError: (_controller, error) => reject(error),
      });
    });
  }

  #validBody(operation: Operation): string {
    const known = this.#validBodies.get(operation) ?? JSON.stringify(this.#target.bodiesFor(operation)[0]);
    this.#validBodies.set(operation, known);
    return known;
  }
}

/** Whether a response is a success, or a 4xx with an error message that reveals no internals. */
function isWellFormed(status: number, text: string): boolean {
  // A record is a line of JSON for each thing that happened.
  const [first = ''] = text.startsWith('{"record":') ? text.split('\n') : [text];
  const body = first === '' ? null : JSON.parse(first);
  if (status < 400) return status >= 200;
  const message = typeof body?.error === 'string' ? body.error : body?.error?.message;
  return status < 500 && body?.success === false && typeof message === 'string' && !INTERNALS.test(text);
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
