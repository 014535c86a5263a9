import type { Readable } from 'node:stream';
import type { Agent, request } from 'undici';
import type { Outcome, Outgoing } from '../kernel/transport.ts';
import { causeOfError, causeOfStatus, causeOfTimeout } from './causes.ts';
import { DeliveryError } from './egress.ts';
import { onAbort } from './on-abort.ts';

/** What sends: undici, loaded, and our agent. */
export interface Sender {
  readonly request: typeof request;
  readonly agent: Agent;
}

/** How long a send may take, and what ends it before. */
export interface Limits {
  readonly timeoutMs: number;
  readonly endings: readonly AbortSignal[];
}

/** The cause of a delivery that was ended from our side. */
export const CALLED_OFF = 'called off: the sandbox was reset or stopped';

/** How long an attempt may take, from the beginning of a send to the end of its answer. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** So much of an answer is kept; the rest is not even read. */
const LARGEST_ANSWER = 64 * 1_024;

/** Sends one request and waits for its verdict, no longer than the limits allow. Never rejects. */
export async function exchange(
  { request, agent }: Sender,
  target: URL,
  { headers, body }: Outgoing,
  { timeoutMs, endings }: Limits,
): Promise<Omit<Outcome, 'durationMs' | 'url'>> {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(new DeliveryError(causeOfTimeout(timeoutMs))), timeoutMs);
  const callOff = () => end.abort(new DeliveryError(CALLED_OFF));
  const forget = endings.map(ending => onAbort(ending, callOff));
  let isAnswering = false;
  const answered = async () => {
    const response = await request(target, {
      dispatcher: agent,
      method: 'POST',
      headers,
      body,
      signal: end.signal,
    });
    isAnswering = true;
    const text = await start(response.body);
    return { status: response.statusCode, body: text, cause: causeOfStatus(response.statusCode) };
  };
  try {
    // undici heeds the signal only once it is connected, so whoever waits must not wait for undici.
    return await Promise.race([answered(), whenAborted(end.signal)]);
  } catch (error) {
    return { status: null, body: null, cause: causeOfError(error, isAnswering) };
  } finally {
    clearTimeout(timer);
    for (const each of forget) each();
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** The first 64 KiB of an answer as text. Leaving the loop early ends the connection. */
async function start(body: Readable): Promise<string> {
  body.on('error', () => {});
  const chunks: Buffer[] = [];
  let room = LARGEST_ANSWER;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    if (room <= 0) break;
  }
  return answerText(Buffer.concat(chunks));
}

/** An answer as text, cut at 64 KiB. */
export function answerText(bytes: Uint8Array): string {
  const stream = bytes.length >= LARGEST_ANSWER;
  // The last character is left out rather than mangled where the cut goes through it.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, LARGEST_ANSWER), { stream });
}
