// Measures the memory of a cardholder created over the API, with its token and its event. Run with --expose-gc.
// Replies to a message with the bytes per cardholder for that many of them.
import { createSandbox } from '../../../dist/index.js';

const WARM_UP = 3_000;
const BATCHES = 10;

process.on('message', async ({ count }) => {
  const sandbox = createSandbox({ fixtures: ['empty'], rateLimit: 0, freeze: true });
  let created = 0;
  const create = async () => {
    const serial = String(created++).padStart(9, '0');
    const body = JSON.stringify({
      externalUserId: `user-${serial}`,
      email: `person-${serial}@example.com`,
      phoneNumber: '+351912345678',
      kycSource: 'idp1',
      idp1ShareToken: `idp1_test_approve_${serial}`,
    });
    const { status } = await sandbox.fetch(`${sandbox.baseUrl}/partner/cardholders`, {
      method: 'POST',
      headers: { 'x-service-api-key': sandbox.apiKey, 'content-type': 'application/json' },
      body,
    });
    if (status !== 201) throw new Error(`creating a cardholder returned ${status}`);
  };
  const heapAfter = async target => {
    while (created < target) await create();
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  // Fills the journal, which keeps only the newest requests, before anything is measured.
  let before = await heapAfter(WARM_UP);
  const batches = [];
  for (let batch = 1; batch <= BATCHES; batch++) {
    const after = await heapAfter(WARM_UP + (batch * count) / BATCHES);
    batches.push((after - before) / (count / BATCHES));
    before = after;
  }
  await sandbox.close();
  process.send({ result: { batches, mean: batches.reduce((sum, each) => sum + each, 0) / BATCHES } });
});
