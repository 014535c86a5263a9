import { expect, test } from 'vitest';
import { answerOf, receive, transportWith } from './receiver.ts';

const RESET = { status: null, cause: 'connection reset' };
/** What the receiver does with the request of a number, and the verdict on it. */
const WAYS = [
  { answer: answerOf(200, 'yes'), verdict: { status: 200, body: 'yes', cause: null } },
  { answer: answerOf(204), verdict: { status: 204, body: '', cause: null } },
  { answer: answerOf(302), verdict: { status: 302, cause: 'redirect refused' } },
  { answer: answerOf(500, 'no'), verdict: { status: 500, body: 'no', cause: 'answered 500' } },
  { answer: null, verdict: RESET },
] as const;
const wayOf = (number: number) => WAYS[((number * 7_919) % 1_009) % WAYS.length] ?? WAYS[0];

test('each of 2,000 sends to a failing receiver gets its own result and is received once', async () => {
  const seen: number[] = [];
  const receiver = await receive((socket, request) => {
    const number = Number(/\{"number":(\d+)\}$/.exec(request)?.[1]);
    seen.push(number);
    const { answer } = wayOf(number);
    if (answer === null) socket.resetAndDestroy();
    else socket.write(answer);
  });
  const transport = transportWith();
  const numbers = Array.from({ length: 2_000 }, (_, number) => number);
  const { signal } = new AbortController();
  const outcomes = await Promise.all(
    numbers.map(number =>
      transport.send({ url: receiver.url, headers: {}, body: JSON.stringify({ number }) }, signal),
    ),
  );
  expect(outcomes).toMatchObject(numbers.map(number => wayOf(number).verdict));
  expect(seen.sort((a, b) => a - b)).toEqual(numbers);
});
