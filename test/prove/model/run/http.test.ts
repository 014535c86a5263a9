import fc from 'fast-check';
import { type TestContext, test } from 'vitest';
import { NETWORK } from '../../../support/fixtures/card-network.ts';
import type { Ask } from '../../../support/in-process.ts';
import { measured, patience, size } from '../../../support/processes/size.ts';
import { startSandbox } from '../../../support/sandbox.ts';
import { action, story } from '../actions.ts';
import { brokenInvariants } from '../invariants.ts';
import { knownFrom } from '../known.ts';
import { Model } from '../model.ts';
import { receivers } from '../receivers.ts';
import { listen, perform, play } from './play.ts';

/** A sandbox behind a server, whose receivers fail as often as `failing` says. */
async function served() {
  const wrong: string[] = [];
  const receiving = { failing: 0 };
  const now = async () => Date.parse((await sandbox.control('GET', '/clock')).body.now);
  const transport = receivers(() => receiving.failing, now, wrong);
  const sandbox = await startSandbox({ fixtures: NETWORK, rateLimit: 0 }, { transport });
  const ask: Ask = (key, method, path, body) =>
    key === null
      ? sandbox.control(method, path, body)
      : sandbox.api(method, path, body, { 'x-service-api-key': key });
  /** Back to the beginning, as a new sandbox is. */
  const fresh = async (failing: number) => {
    receiving.failing = failing;
    await ask(null, 'POST', '/reset');
    for (const { name } of (await ask(null, 'GET', '/checkpoints')).body) {
      await ask(null, 'DELETE', `/checkpoints/${name}`);
    }
  };
  return { ask, fresh, wrong };
}

const STORIES = size(15, 300);

test(
  'over HTTP too, the sandbox does what an independent model of it says',
  async (context: TestContext) => {
    const { ask, fresh, wrong } = await served();
    await fc.assert(
      fc.asyncProperty(story, async ({ actions, failing }) => {
        await fresh(failing);
        await play(ask, new Model(failing), actions);
        if (wrong.length > 0) throw new Error(wrong[0]);
      }),
      { numRuns: STORIES },
    );
    measured(context, `${STORIES} sequences, 0 violations`);
  },
  patience(60_000),
);

const CROWDS = size(12, 300);
/** What can be done at the same time as anything else, in whatever order it is done. */
const INDEPENDENT = [
  'create',
  'submit',
  'decide',
  'issue',
  'card',
  'pay',
  'settle',
  'reverse',
  'topUp',
  'retry',
];
const crowd = fc.array(
  action.filter(({ kind }) => INDEPENDENT.includes(kind)),
  { minLength: 12, maxLength: 12 },
);

test(
  'whatever is asked at the same time, no rule is broken by it',
  async (context: TestContext) => {
    const { ask, fresh } = await served();
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(crowd, { minLength: 6, maxLength: 6 }), async crowds => {
        await fresh(50);
        const model = new Model(50);
        await listen(ask, model);
        const accepted = { tokens: 0, toppedUp: [0, 0] };
        for (const actions of crowds) {
          model.state = knownFrom((await ask(null, 'GET', '/state')).body);
          const replies = await Promise.all(actions.map(given => perform(ask, model, given, new Map())));
          actions.forEach((given, index) => {
            const { status = 500, body } = replies[index] ?? {};
            if (status >= 500) throw new Error(`${given.kind} answered ${JSON.stringify(body)}`);
            if (status >= 300) return;
            if (given.kind === 'create') accepted.tokens += 1;
            if (given.kind === 'topUp') {
              accepted.toppedUp[given.partner] = (accepted.toppedUp[given.partner] ?? 0) + given.amount;
            }
          });
          asked += actions.length;
          await ask(null, 'POST', '/clock/advance', { duration: '2s' });
          const { body: document } = await ask(null, 'GET', '/state');
          const broken = brokenInvariants(document, accepted);
          if (broken.length > 0) throw new Error(broken.join('\n'));
        }
      }),
      { numRuns: CROWDS },
    );
    measured(context, `${CROWDS} runs of 6 crowds of 12 requests at once, 0 violations`);
    if (asked < CROWDS * 72) throw new Error('not everything was asked');
  },
  patience(60_000),
);
