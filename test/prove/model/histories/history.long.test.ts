import fc from 'fast-check';
import { test } from 'vitest';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../../support/proof/proof-size.ts';
import type { Json } from '../../../support/sandbox.ts';
import { anySequence } from '../actions.ts';
import { assertEqual } from '../assert-equal.ts';
import { Model } from '../model.ts';
import { runSequence } from '../run/run-sequence.ts';
import { replay } from './replay.ts';
import { openForHistory, tracesOf } from './traces.ts';

const HISTORIES = size(20, 10_000);

/**
 * The traces without keys, and without what a key that does not work is told: an export has stand-ins for those that were
 * rotated before its first entry.
 */
function withoutKeys({ state, requests }: Awaited<ReturnType<typeof tracesOf>>) {
  for (const row of state.tables.apiKeys) row.id = '';
  return {
    state,
    requests: requests.map((request: Json) =>
      request.status === 401 ? { ...request, refusal: null, response: null } : request,
    ),
  };
}

test(
  'a history that is exported and played in a new sandbox gives the same answers to the byte',
  async context => {
    await fc.assert(
      fc.asyncProperty(anySequence, async sequence => {
        const [first, second] = [
          openForHistory(sequence.failurePercent),
          openForHistory(sequence.failurePercent),
        ];
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
  PROOF_TIMEOUT_MS,
);

test(
  'a sandbox that was rewound to any entry and goes on is as if it had never gone further before',
  async context => {
    await fc.assert(
      fc.asyncProperty(anySequence, fc.nat(), async (sequence, choice) => {
        const sandbox = openForHistory(sequence.failurePercent);
        // A rewind leaves checkpoints as they are, so a restored one may be newer than the first time.
        const actions = sequence.actions.filter(({ kind }) => kind !== 'restore');
        await runSequence(sandbox.send, new Model(sequence.failurePercent), actions);
        const expected = withoutKeys(await tracesOf(sandbox));
        const { body: history } = await sandbox.control('GET', '/history');
        const { id } = history[choice % history.length];
        const rest = await sandbox.controlText(`/history/export?from=${id}`);
        await sandbox.control('POST', '/rewind', { to: id });
        assertEqual(await replay(rest, sandbox), []);
        assertEqual(withoutKeys(await tracesOf(sandbox)), expected);
        sandbox.stop();
      }),
      { numRuns: HISTORIES },
    );
    recordResult(context, `${HISTORIES} histories, 0 differences`);
  },
  PROOF_TIMEOUT_MS,
);
