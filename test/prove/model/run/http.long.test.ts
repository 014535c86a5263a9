import fc from 'fast-check';
import { type TestContext, test } from 'vitest';
import { CARD_NETWORK } from '../../../support/fixtures/card-network.ts';
import type { SendRequest } from '../../../support/in-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../../support/proof/proof-size.ts';
import { startSandbox } from '../../../support/sandbox.ts';
import { anyAction, anySequence } from '../actions.ts';
import { violatedInvariants } from '../invariants.ts';
import { Model } from '../model.ts';
import { receivers } from '../receivers.ts';
import { stateFromDocument } from '../state-from-document.ts';
import { nothingKept, perform, runSequence, subscribeAll } from './run-sequence.ts';

/** A sandbox behind an HTTP server, with receivers that fail at a set rate. */
async function startServed() {
  const problems: string[] = [];
  let currentPercent = 0;
  const now = async () => Date.parse((await sandbox.control('GET', '/clock')).body.now);
  const transport = receivers(() => currentPercent, now, problems);
  const sandbox = await startSandbox({ fixtures: CARD_NETWORK, rateLimit: 0 }, { transport });
  const send: SendRequest = (key, method, path, body) =>
    key === null
      ? sandbox.control(method, path, body)
      : sandbox.api(method, path, body, { 'x-service-api-key': key });
  /** Returns to the initial state, without checkpoints. */
  const startOver = async (failurePercent: number) => {
    currentPercent = failurePercent;
    await send(null, 'POST', '/reset');
    for (const { name } of (await send(null, 'GET', '/checkpoints')).body) {
      await send(null, 'DELETE', `/checkpoints/${name}`);
    }
  };
  return { send, startOver, problems };
}

const SEQUENCES = size(15, 150);

test(
  'over HTTP, the sandbox matches an independent model',
  async (context: TestContext) => {
    const { send, startOver, problems } = await startServed();
    await fc.assert(
      fc.asyncProperty(anySequence, async ({ actions, failurePercent }) => {
        await startOver(failurePercent);
        await runSequence(send, new Model(failurePercent), actions);
        if (problems.length > 0) throw new Error(problems[0]);
      }),
      { numRuns: SEQUENCES },
    );
    recordResult(context, `${SEQUENCES} sequences, 0 violations`);
  },
  PROOF_TIMEOUT_MS,
);

const RUNS = size(12, 150);
/** Actions that may run concurrently with any other, in any order. */
const CONCURRENT = [
  'create',
  'submit',
  'decide',
  'issue',
  'card',
  'pay',
  'increment',
  'settle',
  'reverse',
  'topUp',
  'retry',
];
const batch = fc.array(
  anyAction.filter(({ kind }) => CONCURRENT.includes(kind)),
  { minLength: 12, maxLength: 12 },
);

test(
  'concurrent requests break no invariant',
  async (context: TestContext) => {
    const { send, startOver } = await startServed();
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 6, maxLength: 6 }), async batches => {
        await startOver(50);
        const model = new Model(50);
        await subscribeAll(send, model);
        const accepted = { tokens: 0, toppedUp: [0, 0] };
        for (const actions of batches) {
          model.state = stateFromDocument((await send(null, 'GET', '/state')).body);
          const responses = await Promise.all(
            actions.map(action => perform(send, model, action, nothingKept())),
          );
          actions.forEach((action, index) => {
            const { status = 500, body } = responses[index] ?? {};
            if (status >= 500) throw new Error(`${action.kind} returned ${JSON.stringify(body)}`);
            if (status >= 300) return;
            if (action.kind === 'create') accepted.tokens += 1;
            if (action.kind === 'topUp') {
              accepted.toppedUp[action.partner] = (accepted.toppedUp[action.partner] ?? 0) + action.amount;
            }
          });
          sent += actions.length;
          await send(null, 'POST', '/clock/advance', { duration: '2s' });
          const { body: document } = await send(null, 'GET', '/state');
          const violations = violatedInvariants(document, accepted);
          if (violations.length > 0) throw new Error(violations.join('\n'));
        }
      }),
      { numRuns: RUNS },
    );
    recordResult(context, `${RUNS} runs of 6 batches of 12 concurrent requests, 0 violations`);
    if (sent < RUNS * 72) throw new Error('not every request was sent');
  },
  PROOF_TIMEOUT_MS,
);
