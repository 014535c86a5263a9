import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Uses a world as a test does, leaves a wait and a stream open, and ends it. */
async function useWorld(sandbox: Sandbox): Promise<WeakRef<Sandbox>> {
  const world = await sandbox.worlds.create();
  const { id } = await world.simulate.card();
  await world.api.cards.freeze(id);
  await world.as('partner_globex').clock.advance('1h');
  const stream = await world.fetch('/_sandbox/stream');
  const reader = stream.body?.getReader();
  await reader?.read();
  const waiting = world.webhooks.wait({ timeoutMs: 60_000 }).catch(() => undefined);
  await world.close();
  await waiting;
  while ((await reader?.read())?.done === false);
  return new WeakRef(world);
}

test('a sandbox in process keeps nothing of ended worlds', async () => {
  await using sandbox = createSandbox();
  const useMany = async (count: number) => {
    const handles = [];
    for (let index = 0; index < count; index++) handles.push(await useWorld(sandbox));
    // Weak references are cleared between tasks.
    await new Promise(resolve => setImmediate(resolve));
    collectGarbage();
    return handles;
  };
  // Until the code that they run is compiled.
  await useMany(20);
  const timers = process.getActiveResourcesInfo().length;
  const heapBefore = process.memoryUsage().heapUsed;
  const handles = await useMany(20);
  expect(handles.filter(handle => handle.deref() !== undefined)).toEqual([]);
  // A world takes more than 100 kB, so 20 of them would take 2 MB.
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(1_000_000);
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(timers);
});
