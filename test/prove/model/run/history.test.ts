import fc from 'fast-check';
import { test } from 'vitest';
import { CARD_NETWORK } from '../../../support/fixtures/card-network.ts';
import { type InProcess, openInProcess } from '../../../support/in-process.ts';
import { recordResult, size, testTimeout } from '../../../support/proof/proof-size.ts';
import type { Json } from '../../../support/sandbox.ts';
import { type ActionSequence, anySequence } from '../actions.ts';
import { assertEqual } from '../assert-equal.ts';
import { Model } from '../model.ts';
import { receivers } from '../receivers.ts';
import { replay } from './replay.ts';
import { runSequence } from './run-sequence.ts';

const HISTORIES = size(20, 10_000);

function open({ failurePercent }: ActionSequence): InProcess {
  const now = async () => Date.parse((await sandbox.control('GET', '/clock')).body.now);
  const transport = receivers(() => failurePercent, now, []);
  const sandbox: InProcess = openInProcess({ fixtures: CARD_NETWORK }, { transport });
  return sandbox;
}

/** What a history leaves behind: the whole state, and every request with its response. */
async function tracesOf(sandbox: InProcess): Promise<{ state: Json; requests: Json }> {
  const { body: state } = await sandbox.control('GET', '/state');
  const { body: requests } = await sandbox.control('GET', '/requests');
  return { state, requests: requests.map(({ durationMs: _, ...request }: Json) => request) };
}

test(
  'a history that is exported and played in a new sandbox gives the same answers to the byte',
  async context => {
    await fc.assert(
      fc.asyncProperty(anySequence, async sequence => {
        const [first, second] = [open(sequence), open(sequence)];
        await runSequence(first.send, new Model(sequence.failurePercent), sequence.actions);
        const differences = await replay(await first.controlText('/history/export'), second);
        assertEqual(differences, []);
        assertEqual(await tracesOf(second), await tracesOf(first));
        first.stop();
        second.stop();
      }),
      { numRuns: HISTORIES },
    );
    recordResult(context, `${HISTORIES} histories, 0 differences`);
  },
  testTimeout(120_000),
);

test(
  'a sandbox that was rewound to any entry and goes on is as if it had never gone further before',
  async context => {
    await fc.assert(
      fc.asyncProperty(anySequence, fc.nat(), async (sequence, choice) => {
        const sandbox = open(sequence);
        await runSequence(sandbox.send, new Model(sequence.failurePercent), sequence.actions);
        const expected = await tracesOf(sandbox);
        const { body: history } = await sandbox.control('GET', '/history');
        const { id } = history[choice % history.length];
        const rest = await sandbox.controlText(`/history/export?from=${id}`);
        await sandbox.control('POST', '/rewind', { to: id });
        assertEqual(await replay(rest, sandbox), []);
        assertEqual(await tracesOf(sandbox), expected);
        sandbox.stop();
      }),
      { numRuns: HISTORIES },
    );
    recordResult(context, `${HISTORIES} histories, 0 differences`);
  },
  testTimeout(120_000),
);
