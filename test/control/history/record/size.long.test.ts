import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { readRecord } from '../../../../src/control/history/record/read.ts';
import { createSandbox } from '../../../../src/index.ts';
import { startInProcess } from '../../../support/in-process.ts';
import { recordResult } from '../../../support/proof/proof-size.ts';
import { temporaryRecords } from '../../../support/record-folder.ts';
import { newCardholder } from '../../../support/sandbox.ts';

/** What another request may wait beside an export, in milliseconds. */
const MAX_WAIT_MS = 250;

test('a record of 1,000 entries and 20,000 cardholders is exported in slices', async context => {
  await using sandbox = createSandbox({
    fixtures: ['starter', { cardholders: [{ generate: 20_000 }] }],
    rateLimit: 0,
  });
  await sandbox.ready;
  const headers = { 'x-service-api-key': sandbox.apiKey };
  for (let number = 0; number < 500; number++) {
    await sandbox.api.cardholders.create(
      newCardholder({
        externalUserId: `user-${number}`,
        email: `p${number}@example.org`,
        idp1ShareToken: `idp1_test_approve_${number}`,
      }) as never,
    );
    await sandbox.fetch('/v1/partner/cardholders', { headers });
  }
  let isExporting = true;
  const startedAt = performance.now();
  const exporting = sandbox.fetch('/_sandbox/history/export').then(async response => {
    let bytes = 0;
    for await (const piece of response.body ?? []) bytes += piece.length;
    isExporting = false;
    return bytes;
  });
  const waits: number[] = [];
  while (isExporting) {
    const before = performance.now();
    await (await sandbox.fetch('/v1/partner/balance', { headers })).text();
    waits.push(performance.now() - before);
    await new Promise(resolve => setImmediate(resolve));
  }
  const bytes = await exporting;
  const seconds = (performance.now() - startedAt) / 1_000;
  const longest = Math.max(...waits);
  recordResult(
    context,
    `${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(2)} s, longest wait ${longest.toFixed(0)} ms`,
  );
  console.log(
    `${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(2)} s, ${waits.length} requests beside it, the longest waited ${longest.toFixed(0)} ms`,
  );
  expect(bytes).toBeGreaterThan(10_000_000);
  expect(waits.length).toBeGreaterThan(10);
  expect(longest).toBeLessThan(MAX_WAIT_MS);
});

test('a record ends before a loaded state that is too large for a line, which is said', async () => {
  const { records, problems, file } = temporaryRecords();
  const { api, control } = startInProcess({}, { records });
  api('POST', '/partner/cardholders', newCardholder());
  const { body } = await control('GET', '/state');
  // Two bytes each in the document, and four in the line.
  body.tables.cardholders[0].externalUserId = '\\'.repeat(17 * 1024 * 1024);
  expect((await control('PUT', '/state', body)).status).toBe(204);
  records.finish();
  expect(problems).toEqual([expect.stringContaining('67108864 bytes, the longest line of a record')]);
  expect(await readRecord(file)).toMatchObject({ lines: [{}], end: null });
});
