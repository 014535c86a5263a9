import { Agent, type RequestOptions, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import fc from 'fast-check';
import { test } from 'vitest';
import type { ApiResponse } from '../../../../src/core/request/http.ts';
import { type RunningServer, serve } from '../../../../src/server/http/server.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../../support/proof/proof-size.ts';
import { anySequenceWithRewinds } from '../actions.ts';
import { anySettings } from '../settings.ts';
import { Server, type WorldRun } from './worlds.ts';

const COMMANDS = size(400, 15_000);
/** Worlds that are at work at the same time. */
const AT_ONCE = 8;
/** A sandbox takes longer to start with settings that it does not know yet. */
const SETTINGS = size(8, 300);

/** A sandbox that is called over HTTP. */
class HttpServer extends Server {
  readonly #agent = new Agent({ keepAlive: true });
  #running: RunningServer | null = null;

  async listen(): Promise<void> {
    const options = { port: 0, host: '127.0.0.1', trustProxy: false, controlToken: 'control-token' };
    this.#running = await serve(this.core, options);
  }

  override ask(method: string, path: string, body?: unknown, own: Record<string, string> = {}) {
    const headers = { ...own, 'content-type': 'application/json' };
    const text = body === undefined ? '' : JSON.stringify(body);
    return this.#send(path, { method, headers, agent: this.#agent }, text);
  }

  /** Ends a world. */
  async remove(world: string): Promise<void> {
    const { status, body } = await this.ask('DELETE', `/_sandbox/worlds/${world}`);
    if (status !== 204) throw new Error(body);
  }

  override async stop(): Promise<void> {
    this.#agent.destroy();
    await this.#running?.close(0);
    super.stop();
  }

  #send(path: string, options: RequestOptions, body: string): Promise<ApiResponse> {
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#running?.origin}${path}`, options, response => {
        const { statusCode: status = 0, headers } = response;
        // Responses of the sandbox have no header twice.
        const received = { status, headers: headers as Record<string, string> };
        textOf(response).then(content => resolve({ ...received, body: content }), reject);
      });
      sent.on('error', error => {
        // The server closes idle connections. It has not read a request that comes then.
        const isClosed = sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
        if (isClosed) this.#send(path, options, body).then(resolve, reject);
        else reject(error);
      });
      sent.end(body);
    });
  }
}

test(
  'over HTTP, commands in worlds of one server, with settings, rewinds and money, match an independent model',
  async context => {
    const server = new HttpServer();
    await server.listen();
    const assumed = anySettings(SETTINGS);
    let [commands, worlds] = [0, 0];
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(anySequenceWithRewinds, assumed, fc.nat(7)), {
            minLength: AT_ONCE,
            maxLength: AT_ONCE,
          }),
          async sequences => {
            const runs = sequences.map(([sequence, settings, seed]) => ({
              sequence,
              assumed: settings,
              seed,
            }));
            const ends = await Promise.allSettled(runs.map(run => play(server, run, worlds++)));
            for (const end of ends) if (end.status === 'rejected') throw end.reason;
            for (const { sequence } of runs) commands += sequence.actions.length;
          },
        ),
        // Sequences have 20 commands on average.
        { numRuns: Math.ceil(COMMANDS / AT_ONCE / 20) },
      );
    } finally {
      await server.stop();
    }
    recordResult(context, `${commands} commands in ${worlds} worlds, 0 differences`);
  },
  PROOF_TIMEOUT_MS,
);

/** Runs a sequence in a world of its own. */
async function play(server: HttpServer, run: WorldRun, number: number): Promise<void> {
  const place = await server.createWorld(run, number);
  await server.run(run, place);
  await server.remove(`w-${number}`);
}
