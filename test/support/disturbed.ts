import { expect, onTestFinished } from 'vitest';
import { realTime } from '../../src/core/time/realtime.ts';
import type { DisturbancePlan } from '../../src/sandbox/disturbance/plan.ts';
import type { CoreOptions } from '../../src/sandbox/options.ts';
import { createSandboxCore } from '../../src/sandbox/sandbox.ts';
import { fakeReceiver } from './receiver.ts';
import { ACME_KEY, type Json } from './sandbox.ts';

/** A sandbox whose worlds are all disturbed. Durations in wall time are those that `pass` adds. */
export function disturbed(
  disturbance: DisturbancePlan,
  options: CoreOptions = {},
  { transport, seen } = fakeReceiver(),
) {
  let elapsed = 0;
  const waiting = new Set<{ readonly at: number; readonly task: () => void }>();
  const after = (delayMs: number, task: () => void) => {
    if (delayMs <= 0) return realTime.after(delayMs, task);
    const timer = { at: elapsed + delayMs, task };
    waiting.add(timer);
    return () => waiting.delete(timer);
  };
  const core = createSandboxCore(
    { fixtures: ['empty'], freeze: true, ...options },
    { disturbance, transport, realTime: { ...realTime, elapsed: () => elapsed, after } },
  );
  onTestFinished(() => core.stop());
  const request = (method: string, target: string, body?: object, headers = {}) => {
    const [path = '', query = ''] = target.split('?');
    return {
      method,
      path,
      query,
      remoteAddress: '127.0.0.1',
      headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    };
  };
  const parsed = ({ status, body, drop }: { status: number; body: string; drop?: true }) => ({
    status,
    drop,
    body: JSON.parse(body || 'null') as Json,
  });
  const control = async (method: string, path: string, body?: object, world = 'main') =>
    parsed(await core.control(request(method, `/_sandbox/worlds/${world}${path}`, body)));
  const api = (method: string, path: string, body?: object, key = ACME_KEY, headers = {}) =>
    parsed(core.handle(request(method, `/v1${path}`, body, { 'x-service-api-key': key, ...headers })));
  /** The lines of the record of a world. */
  const record = async (world = 'main'): Promise<Json[]> => {
    const { content } = await core.control(request('GET', `/_sandbox/worlds/${world}/history/export`));
    let text = '';
    for await (const piece of content ?? []) text += Buffer.from(piece).toString();
    return text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
  };
  return {
    seen,
    pass(ms: number) {
      elapsed += ms;
      for (const timer of [...waiting]) {
        if (timer.at <= elapsed && waiting.delete(timer)) timer.task();
      }
    },
    api,
    control,
    record,
    /** Creates a world. Resolves with its id and a key. */
    async createWorld(body: object = {}) {
      const created = parsed(await core.control(request('POST', '/_sandbox/worlds', body)));
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      return { id: created.body.id as string, key: created.body.partners[0].apiKey as string };
    },
    /** What the record of a world marks: the ids at each request and webhook that has any, in their order. */
    async marks(world = 'main') {
      const lines = await record(world);
      return lines.flatMap(({ entry, attempt }) => (entry ?? attempt)?.struck ?? []) as string[];
    },
  };
}
