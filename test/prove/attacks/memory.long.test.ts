import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type SandboxProcess, startCli } from '../../support/cli-process.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';

const MEBIBYTE = 1024 * 1024;
const CLIENTS = size(10, 40);

/** The resident memory of a process in MiB, or null on a system that does not tell. */
function residentMiB({ child }: SandboxProcess): number | null {
  try {
    const [, kibibytes = ''] =
      /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / 1024;
  } catch {
    return null;
  }
}

/** Opens a connection and writes to it. */
function attack({ listening }: SandboxProcess, bytes: readonly (string | Buffer)[]): Socket {
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  for (const each of bytes) socket.write(each);
  return socket;
}

test('half-sent bodies: large bodies that never end are not kept, and do not keep others from being served', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const sandbox = await startCli(['--rate-limit', '0']);
  const before = residentMiB(sandbox);
  const part = size(16, 24) * MEBIBYTE;
  const body = Buffer.alloc(part, ' ');
  const head = `PUT /_sandbox/state HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${200 * MEBIBYTE}\r\n\r\n`;
  const attackers = Array.from({ length: CLIENTS }, () => attack(sandbox, [head, body]));
  expect((await sandbox.ask('GET', '/v1/partner/cards')).status).toBe(200);
  expect((await sandbox.ask('POST', '/v1/partner/kyc-sessions', {})).status).toBe(201);
  const during = residentMiB(sandbox);
  // A state is read in pieces, and only as fast as it is checked.
  if (before !== null && during !== null) expect(during - before).toBeLessThan(96);
  for (const socket of attackers) socket.destroy();
  recordResult(context, `${CLIENTS} clients, ${(CLIENTS * part) / MEBIBYTE} MiB sent, none of them kept`);
});

test('deaf stream readers: readers of the event stream that read nothing are disconnected, and others are served', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const sandbox = await startCli(['--rate-limit', '0']);
  const before = residentMiB(sandbox);
  const readers = Array.from({ length: CLIENTS }, () => {
    const reader = attack(sandbox, ['GET /_sandbox/stream HTTP/1.1\r\nHost: localhost\r\n\r\n']);
    reader.pause();
    return reader;
  });
  // A message on the stream repeats the request, up to 16 KiB of it.
  const padding = { padding: 'x'.repeat(15_000) };
  // 45 MB for each reader: some systems take 32 MiB for a connection before they hold up the sandbox.
  const requests = 3_000;
  const attentive = await openEventStream(sandbox.listening.url, '?kinds=request');
  const heard = attentive.next(requests);
  for (let count = 0; count < requests; count += 10) {
    const batch = Array.from({ length: 10 }, () => sandbox.ask('POST', '/v1/partner/kyc-sessions', padding));
    for (const { status } of await Promise.all(batch)) expect(status).toBe(201);
  }
  // The readers take turns, so as much has been sent to the others.
  await heard;
  const during = residentMiB(sandbox);
  // A connection that the sandbox has closed is noticed once its bytes are read.
  for (const reader of readers) reader.resume();
  const connected = () => readers.filter(reader => !reader.closed).length;
  await expect.poll(connected, { timeout: 60_000 }).toBe(0);
  expect((await sandbox.ask('GET', '/v1/partner/cards')).status).toBe(200);
  if (before !== null && during !== null) expect(during - before).toBeLessThan(512);
  recordResult(context, `${CLIENTS} readers, ${requests} requests, all readers disconnected`);
});
