import { Buffer } from 'node:buffer';
import type { Attend, Attendant, AttendedSandbox } from '../../client/attendant.ts';
import { realTime } from '../../core/time/realtime.ts';
import { CONTROL_PREFIX } from '../../core/values/plane.ts';
import { BuiltFixture, type LoadableFixture } from '../../sandbox/fixtures/define/built-fixture.ts';
import { FixtureError } from '../../sandbox/fixtures/file/fixture-error.ts';
import { DEFAULT_FIXTURE } from '../../sandbox/fixtures/file/source.ts';
import type { CoreOptions } from '../../sandbox/options.ts';
import { type CoreHooks, createSandboxCore, type SandboxCore } from '../../sandbox/sandbox.ts';

/** Creates the core of a sandbox with its attendant, if it has one. Throws the errors of `createSandboxCore`. */
export function createAttendedCore(
  options: CoreOptions,
  hooks: CoreHooks,
  controlToken: string,
  attend: Attend | undefined,
): SandboxCore {
  const attendant = attend?.(options, process.env) ?? null;
  if (attendant === null) return createSandboxCore(options, hooks);
  const attendedHooks = { ...hooks, ...hooksOf(attendant) };
  const core = withRecords(attendant.fixture, { ...attendant.options, ...options }, attendedHooks);
  attendant.attach(attendedSandbox(core, controlToken));
  return core;
}

/** Returns the hooks that a sandbox with an attendant has to be created with. */
export function hooksOf(attendant: Attendant): Pick<CoreHooks, 'onResponse' | 'onDelivery' | 'people'> {
  return {
    people: attendant.people,
    onResponse: entry => attendant.onResponse(entry),
    onDelivery: entry => attendant.onDelivery(entry),
  };
}

/** Returns a sandbox as its attendant reaches it. `token` is that of its control plane. */
export function attendedSandbox(core: SandboxCore, token: string): AttendedSandbox {
  const call = (method: string, path: string, body?: object) => {
    const [pathname = '', query = ''] = path.split('?');
    const headers = { host: 'localhost', authorization: `Bearer ${token}` };
    return core.control({
      method,
      path: CONTROL_PREFIX + pathname,
      query,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      remoteAddress: '127.0.0.1',
    });
  };
  return {
    isFrozen: core.options.freeze,
    elapsed: () => realTime.elapsed(),
    after: (ms, listener) => void realTime.after(ms, listener),
    subscribe: listener =>
      void core.feed.subscribe(message => {
        if (message.kind === 'clock' && message.clock.mode === 'frozen') listener('freeze');
        if (message.kind === 'reset') listener('reset');
      }),
    start: (method, path) => void call(method, path),
    control(method, path, body) {
      const response = call(method, path, body);
      if (response instanceof Promise) throw new Error(`${method} ${path} is not synchronous`);
      if (response.status >= 400) throw new Error(`${method} ${path}: ${response.body}`);
      return JSON.parse(response.body || 'null');
    },
  };
}

/** Creates a core with additional records, or without them if they do not fit its fixtures. */
function withRecords(fixture: Attendant['fixture'], options: CoreOptions, hooks: CoreHooks): SandboxCore {
  if (fixture === undefined) return createSandboxCore(options, hooks);
  const own: readonly LoadableFixture[] = options.fixtures ?? [DEFAULT_FIXTURE];
  const added = new BuiltFixture('the records of an attendant', fixture);
  try {
    return createSandboxCore({ ...options, fixtures: [...own, added] }, hooks);
  } catch (error) {
    if (error instanceof FixtureError) return createSandboxCore(options, hooks);
    throw error;
  }
}
