import { CARD_NETWORK } from '../../../support/fixtures/card-network.ts';
import { type InProcess, openInProcess } from '../../../support/in-process.ts';
import type { ActionSequence } from '../actions.ts';
import { Model } from '../model.ts';
import { receivers } from '../receivers.ts';
import { runSequence } from './run-sequence.ts';

/** Runs a sequence in a new sandbox without a server; `create` builds the sandbox from other code. */
export async function runInProcess(
  { actions, failurePercent }: ActionSequence,
  create?: Parameters<typeof openInProcess>[2],
): Promise<void> {
  const problems: string[] = [];
  const now = async () => Date.parse((await sandbox.control('GET', '/clock')).body.now);
  const transport = receivers(() => failurePercent, now, problems);
  const sandbox: InProcess = openInProcess({ fixtures: CARD_NETWORK }, { transport }, create);
  try {
    await runSequence(sandbox.send, new Model(failurePercent), actions);
  } finally {
    sandbox.stop();
  }
  if (problems.length > 0) throw new Error(problems[0]);
}
