import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { type SandboxProcess, startCli } from '../../support/cli-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { newCardholder } from '../../support/sandbox.ts';
import { largeState } from './large-state.ts';

/** Nearly as many as a document over HTTP can have, which is 64 MiB. */
const CARDHOLDERS = size(25_000, 95_000);
const ANSWERS = size(300, 1_000);

/** The digest of a text in pieces: it can be longer than a string. */
async function digest(pieces: AsyncIterable<Uint8Array | string>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

async function exported({ listening }: SandboxProcess): Promise<string> {
  const { body } = await fetch(`${listening.url}/_sandbox/state`);
  return digest(body as AsyncIterable<Uint8Array>);
}

/** Sends requests one after the other until `work` ends. Returns how many there were, all of which were answered. */
async function requestsDuring(sandbox: SandboxProcess, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let count = 0;
  for (; !isOver; count++) {
    // A request to the API would draw a random id, which is part of the state.
    expect((await sandbox.ask('GET', '/_sandbox/cardholders/ch_7')).status).toBe(200);
  }
  await over;
  return count;
}

test('a large world is loaded, exported, saved and imported while requests are answered, and nothing is lost', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const file = await temporaryFile('large.json');
  await pipeline(Readable.from(largeState(CARDHOLDERS)), createWriteStream(file));
  const original = await digest(createReadStream(file));
  // Without a seed, a server has a secret key, which is part of its state.
  const options = ['--rate-limit', '0', '--freeze', '--seed', '7'];
  const one = await startCli([...options, '--state', file]);
  const exporting = exported(one);
  const besideExport = await requestsDuring(one, exporting);
  expect(await exporting).toBe(original);

  writeFileSync(file, '');
  const saving = one.ask('POST', '/_sandbox/state/save');
  const besideSave = await requestsDuring(one, saving);
  expect((await saving).status).toBe(200);
  expect(await digest(createReadStream(file))).toBe(original);

  const other = await startCli([...options, '--fixtures', 'empty', '--clock', '2020-01-01T00:00:00Z']);
  const { body: person } = await other.ask('POST', '/v1/partner/cardholders', newCardholder());
  let hasEnded = false;
  const importing = fetch(`${other.listening.url}/_sandbox/state`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>,
    duplex: 'half',
  }).finally(() => {
    hasEnded = true;
  });
  let besideImport = 0;
  for (; !hasEnded; besideImport++) {
    const { status } = await other.ask('GET', `/_sandbox/cardholders/${person.id}`);
    expect([200, 404]).toContain(status);
  }
  expect((await importing).status).toBe(204);
  expect(await exported(other)).toBe(original);
  for (const path of ['/v1/partner/cardholders', '/v1/partner/cards', '/_sandbox/partners']) {
    expect((await other.ask('GET', path)).text).toBe((await one.ask('GET', path)).text);
  }
  for (let answer = 0; answer < ANSWERS; answer++) {
    const index = Math.floor((answer + 0.5) * (CARDHOLDERS / ANSWERS));
    const path = `/v1/partner/cardholders/ch_${index}`;
    const { status, text } = await other.ask('GET', path);
    expect(status).toBe(200);
    expect(text).toBe((await one.ask('GET', path)).text);
  }
  // At once would be one or two.
  for (const count of [besideExport, besideSave, besideImport]) expect(count).toBeGreaterThan(5);
  recordResult(context, `${CARDHOLDERS} cardholders, ${ANSWERS} answers compared`);
});

test.skipIf(process.platform !== 'linux')(
  'an export, deaf readers of exports and a save take little memory, however large the state',
  {
    timeout: PROOF_TIMEOUT_MS,
  },
  async () => {
    const file = await temporaryFile('large.json');
    await pipeline(Readable.from(largeState(CARDHOLDERS)), createWriteStream(file));
    const sandbox = await startCli(['--rate-limit', '0', '--freeze', '--state', file]);
    const resident = () =>
      Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${sandbox.child.pid}/status`, 'utf8'))?.[1]);
    const resting = resident();
    let peak = resting;
    const watch = setInterval(() => {
      peak = Math.max(peak, resident());
    }, 50);
    const readers = Array.from({ length: 8 }, () => {
      const reader = connect(Number(new URL(sandbox.listening.url).port), '127.0.0.1').pause();
      onTestFinished(() => void reader.destroy());
      reader.write('GET /_sandbox/state HTTP/1.1\r\nHost: localhost\r\n\r\n');
      return reader;
    });
    await exported(sandbox);
    for (const reader of readers) reader.destroy();
    await exported(sandbox);
    await sandbox.ask('POST', '/_sandbox/state/save');
    clearInterval(watch);
    expect(peak / resting).toBeLessThan(1.4);
  },
);
