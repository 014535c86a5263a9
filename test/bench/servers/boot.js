// Measures a boot from a fixture that generates cardholders, with a card for each tenth. Replies to a message with the
// processor time over that of JSON.stringify of the same rows, the processor time of boot and reset per 100,000
// cardholders, and the resident memory per cardholder.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '../../../dist/index.js';

const STRINGIFIED = 5;

async function processorMs(work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1_000 };
}

process.on('message', async ({ count }) => {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-boot-'));
  const file = join(folder, 'people.yaml');
  writeFileSync(
    file,
    `cardholders:
  - { generate: ${count - count / 10}, externalUserId: guest, kycStatus: approved }
  - { generate: ${count / 10}, externalUserId: holder, kycStatus: approved, card: { status: active } }
`,
  );
  // Loads the code and the memory that every sandbox needs.
  await createSandbox().close();
  const { rss } = process.memoryUsage();
  const boot = await processorMs(() => createSandbox({ fixtures: ['empty', file] }));
  const bytes = (process.memoryUsage().rss - rss) / count;
  rmSync(folder, { recursive: true });
  const { tables } = await boot.result.state.export();
  const times = [];
  while (times.length < STRINGIFIED) times.push((await processorMs(() => JSON.stringify(tables))).ms);
  const stringified = times.sort((a, b) => a - b)[STRINGIFIED >> 1];
  const people = new Set(tables.cardholders.map(({ externalUserId }) => externalUserId)).size;
  const emails = new Set(tables.cardholders.map(({ email }) => email)).size;
  const reset = await processorMs(() => boot.result.reset());
  await boot.result.close();
  process.send({
    result: {
      ratio: boot.ms / stringified,
      bootMs: (boot.ms / count) * 100_000,
      resetMs: (reset.ms / count) * 100_000,
      bytes,
      people,
      emails,
      cards: tables.cards.length,
    },
  });
});
