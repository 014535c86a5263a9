import { Feed } from '../../src/kernel/journal/feed.ts';
import { World, type WorldEnvironment } from '../../src/kernel/world/world.ts';
import { tables, timerTables } from '../../src/sandbox/tables.ts';
import { manualTime } from './manual-time.ts';
import { START } from './sandbox.ts';

/** A world without partners, with its clock frozen at START, for tests of behaviour that no surface shows. */
export function createWorld(run: WorldEnvironment['run'] = () => () => undefined): World {
  return new World(
    {
      seed: 42,
      kycDelayMs: 2_000,
      rateLimitPerMinute: 0,
      clockStart: Date.parse(START),
      clockFrozen: true,
      retrySpeed: 60,
    },
    {
      id: 'main',
      ownKey: key => key,
      tables,
      timerTables,
      origin: () => 'http://127.0.0.1',
      feed: new Feed(),
      transport: {
        send: () => Promise.reject(new Error('this transport sends nothing')),
        close: () => undefined,
      },
      forwarding: () => ({ url: null, map: {}, allowHttp: false }),
      realTime: manualTime().realTime,
      run,
    },
  );
}
