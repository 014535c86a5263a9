import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { evidenceText, markdownReport, profileText } from '../../../src/tools/calibrate/profile.ts';
import { captureLine } from '../../../src/tools/evidence.ts';
import { listen } from '../../support/listen.ts';
import { calibrated } from './calibrated.ts';

const MIB = 1024 * 1024;
const ONLY = ['balance', 'list-order', 'card-values'];

const TOO_LONG = ONLY.map(id => ({
  id,
  verdict: 'unknown',
  evidence: {
    needs: expect.stringMatching(/^a response to GET \/partner\/\w+ of at most 4 MiB$/),
    exchanges: [{ response: { body: '(more than 4 MiB, not read)' } }],
  },
}));
const inOrder = (results: readonly { readonly id: string }[]) =>
  results.toSorted((a, b) => ONLY.indexOf(a.id) - ONLY.indexOf(b.id));

test('of a body without an end, 4 MiB are read, and the verdict is unknown', async () => {
  const sent: number[] = [];
  const origin = await listen((_request, response) => {
    const index = sent.push(0) - 1;
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const write = () => {
      if (response.closed) return;
      sent[index] = (sent[index] ?? 0) + chunk.length;
      response.write(chunk, write);
    };
    write();
  });
  const { results, failure } = await calibrated(origin, { only: ONLY });
  expect(failure).toBeNull();
  expect(inOrder(results)).toMatchObject(TOO_LONG);
  expect(sent.length).toBeGreaterThan(1);
  // What the buffers of two sockets hold may be sent and not read.
  for (const bytes of sent) expect(bytes).toBeLessThan(32 * MIB);
});

test('a small response that unpacks to a large one is unknown too', async () => {
  const body = gzipSync(
    Buffer.concat([Buffer.from('{"data":[],"x":"'), Buffer.alloc(5 * MIB, 'x'), Buffer.from('"}')]),
  );
  expect(body.length).toBeLessThan(64 * 1024);
  const origin = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
  });
  expect(inOrder((await calibrated(origin, { only: ONLY })).results)).toMatchObject(TOO_LONG);
});

test('control characters and webhook secrets of a service are in no report, profile or capture', async () => {
  const evil = 'x\u001b[2J\u009b1m\u202e whsec_a1b2c3d4e5\n# heading\r\u0007';
  const record = { id: evil, name: evil, type: evil, status: evil, createdAt: evil, [evil]: evil };
  const origin = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...record, data: [record, record], total: 2, page: 1, limit: 20 }));
  });
  const lines: string[] = [];
  const calibration = await calibrated(origin, {
    onExchange: (id, exchange) => lines.push(JSON.stringify(captureLine(id, exchange, 0))),
  });
  const texts = [
    markdownReport(calibration),
    profileText(calibration, 'profile.evidence.yaml'),
    evidenceText(calibration),
    lines.join('\n'),
    calibration.results.map(({ evidence }) => `${evidence.seen ?? ''} ${evidence.needs ?? ''}`).join('\n'),
  ];
  expect(texts.join('').split('\\u001b').length).toBeGreaterThan(10);
  for (const text of texts) {
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).not.toContain('whsec_a1');
    expect(text).not.toMatch(/^# heading/m);
  }
});

test('of an object with many members, evidence has fifty', async () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`member${index}`, index]));
  const origin = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(many));
  });
  const { results } = await calibrated(origin, { only: ['balance'] });
  const { body } = results[0]?.evidence.exchanges[0]?.response ?? {};
  expect(Object.entries(Object(body)).slice(49)).toEqual([
    ['member49', 49],
    ['…', '4950 more'],
  ]);
});
