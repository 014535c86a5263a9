import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ConnectionSlots } from '../../../src/sandbox/transport/http-transport.ts';

/** Slots, and a list of those that were handed over, by the names of their waiters. */
function slotsOf(max: number, maxPerDestination: number) {
  const slots = new ConnectionSlots(max, maxPerDestination);
  const served: string[] = [];
  const releases = new Map<string, () => void>();
  const take = (name: string, destination: string, signal = new AbortController().signal) => {
    const taking = slots.take(destination, signal).then(release => {
      served.push(release === null ? `no ${name}` : name);
      if (release !== null) releases.set(name, release);
    });
    return taking;
  };
  const release = async (name: string) => {
    // It may just have been handed over.
    await setImmediate();
    releases.get(name)?.();
    await setImmediate();
  };
  return { slots, served, take, release };
}

test('slots are given until their number is reached, and then to those that wait, in order', async () => {
  const { served, take, release } = slotsOf(2, 2);
  for (const name of ['a1', 'a2', 'a3', 'a4']) void take(name, 'a');
  await setImmediate();
  expect(served).toEqual(['a1', 'a2']);
  await release('a1');
  expect(served).toEqual(['a1', 'a2', 'a3']);
  await release('a2');
  expect(served).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('a destination has no more than its share, and others get the rest', async () => {
  const { served, take, release } = slotsOf(3, 2);
  for (const name of ['a1', 'a2', 'a3']) void take(name, 'a');
  for (const name of ['b1', 'b2']) void take(name, 'b');
  await setImmediate();
  expect(served).toEqual(['a1', 'a2', 'b1']);
  await release('b1');
  expect(served).toEqual(['a1', 'a2', 'b1', 'b2']);
  await release('a2');
  expect(served).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
});

test('destinations that wait are served in turn', async () => {
  const { served, take, release } = slotsOf(1, 1);
  void take('x', 'x');
  for (const name of ['a1', 'a2']) void take(name, 'a');
  for (const name of ['b1', 'b2']) void take(name, 'b');
  await setImmediate();
  for (const name of ['x', 'a1', 'b1', 'a2']) await release(name);
  expect(served).toEqual(['x', 'a1', 'b1', 'a2', 'b2']);
});

test('one that is aborted gets no slot, and the next one does', async () => {
  const { served, take, release } = slotsOf(1, 1);
  const controller = new AbortController();
  void take('first', 'a');
  void take('aborted', 'a', controller.signal);
  void take('next', 'a');
  controller.abort();
  await release('first');
  expect(served).toEqual(['first', 'no aborted', 'next']);
  await take('late', 'a', AbortSignal.abort());
  expect(served).toEqual(['first', 'no aborted', 'next', 'no late']);
});

test('those that were all aborted leave their destination free', async () => {
  const { served, take, release } = slotsOf(1, 1);
  const controller = new AbortController();
  void take('x', 'x');
  void take('aborted', 'a', controller.signal);
  void take('b', 'b');
  controller.abort();
  await release('x');
  expect(served).toEqual(['x', 'no aborted', 'b']);
  await release('b');
  await take('a', 'a');
  expect(served.at(-1)).toBe('a');
});

test('closed slots are given to nobody, and whoever waits is told', async () => {
  const { slots, served, take, release } = slotsOf(1, 1);
  void take('a1', 'a');
  void take('a2', 'a');
  void take('b1', 'b');
  await setImmediate();
  slots.close();
  await take('late', 'c');
  expect(served.toSorted()).toEqual(['a1', 'no a2', 'no b1', 'no late']);
  await release('a1');
  expect(served).toHaveLength(4);
});
