import fc from 'fast-check';
import { test } from 'vitest';
import { CARD_NETWORK } from '../../../support/fixtures/card-network.ts';
import { type InProcess, openInProcess, type SendRequest } from '../../../support/in-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../../support/proof/proof-size.ts';
import type { Json } from '../../../support/sandbox.ts';
import { anySequence } from '../actions.ts';
import { assertEqual } from '../assert-equal.ts';
import { Model } from '../model.ts';
import { receivers } from '../receivers.ts';
import { runSequence } from './run-sequence.ts';

const HISTORIES = size(20, 600);

/** A request that was sent, and the length of the history before it. */
interface Sent {
  readonly request: Parameters<SendRequest>;
  readonly entries: number;
}

/** What requests leave behind: the state, and every request with its response. */
async function tracesOf({ control }: InProcess): Promise<Json> {
  const { body: state } = await control('GET', '/state');
  const { body: requests } = await control('GET', '/requests');
  return { state, requests: requests.map(({ durationMs: _, ...request }: Json) => request) };
}

test(
  'a sandbox that was rewound to any entry and goes on is as if it had never gone further before',
  async context => {
    await fc.assert(
      fc.asyncProperty(anySequence, fc.nat(), async ({ actions, failurePercent }, choice) => {
        const now = async () => Date.parse((await sandbox.control('GET', '/clock')).body.now);
        const transport = receivers(() => failurePercent, now, []);
        const sandbox: InProcess = openInProcess({ fixtures: CARD_NETWORK }, { transport });
        const history = async () => (await sandbox.control('GET', '/history')).body;
        const sent: Sent[] = [];
        const send: SendRequest = async (...request) => {
          sent.push({ request, entries: (await history()).length });
          return sandbox.send(...request);
        };
        // A rewind leaves checkpoints as they are, so a restored one may be newer than the first time.
        const repeatable = actions.filter(({ kind }) => kind !== 'restore' && kind !== 'rewind');
        await runSequence(send, new Model(failurePercent), repeatable);
        const expected = await tracesOf(sandbox);
        const entries: Json[] = (await history()).reverse();
        const index = choice % entries.length;
        await sandbox.control('POST', '/rewind', { to: entries[index].id });
        // The last request before which the history had this length made the entry; those before it only read.
        const first = sent.findLastIndex(each => each.entries === index);
        for (const { request } of sent.slice(first)) await sandbox.send(...request);
        assertEqual(await tracesOf(sandbox), expected);
        sandbox.stop();
      }),
      { numRuns: HISTORIES },
    );
    recordResult(context, `${HISTORIES} histories, 0 differences`);
  },
  PROOF_TIMEOUT_MS,
);
