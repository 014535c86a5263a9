// Measures what worlds cost. Run with --expose-gc. Replies to a message with the processor time and the memory per
// world for that many live ones, and with the heap while many times as many are created, used and ended.
import { createSandbox } from '../../../dist/index.js';

const WARM_UP = 300;
const SAMPLES = 10;

process.on('message', async ({ live, ended }) => {
  const sandbox = createSandbox({ fixtures: ['starter'], freeze: true, maxWorlds: live + 1 });
  const send = async (method, path, key) => {
    const headers = key === undefined ? {} : { 'x-service-api-key': key };
    const options =
      method === 'POST'
        ? { body: '{}', headers: { ...headers, 'content-type': 'application/json' } }
        : { headers };
    const response = await sandbox.fetch(sandbox.url + path, { method, ...options });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`);
    return response.status === 204 ? null : response.json();
  };
  const create = () => send('POST', '/_sandbox/worlds');
  const remove = ({ id }) => send('DELETE', `/_sandbox/worlds/${id}`);
  const useAndEnd = async count => {
    for (let number = 0; number < count; number++) {
      const world = await create();
      await send('GET', '/v1/partner/cards', world.partners[0].apiKey);
      await send('POST', `/_sandbox/worlds/${world.id}/reset`);
      await remove(world);
    }
  };
  const heap = () => {
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  await useAndEnd(WARM_UP);
  const before = heap();
  const started = process.cpuUsage();
  const worlds = [];
  while (worlds.length < live) worlds.push(await create());
  const { user, system } = process.cpuUsage(started);
  const bytes = (heap() - before) / live;
  for (const world of worlds) await remove(world);
  const heaps = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    await useAndEnd(ended / SAMPLES);
    heaps.push(heap());
  }
  await sandbox.close();
  process.send({ result: { milliseconds: (user + system) / 1000 / live, bytes, heaps } });
});
