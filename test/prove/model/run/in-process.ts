import { CARD_NETWORK } from '../../../support/fixtures/card-network.ts';
import { type InProcess, openInProcess } from '../../../support/in-process.ts';
import type { Json } from '../../../support/sandbox.ts';
import type { ActionSequence } from '../actions.ts';
import { Model } from '../model.ts';
import { receivers } from '../receivers.ts';
import { type Assumed, toOption, USUAL } from '../settings.ts';
import type { State } from '../state.ts';
import { checkSettings } from './check-settings.ts';
import { runSequence } from './run-sequence.ts';

/** Runs a sequence in a new sandbox without a server. `check` gets the state document at the end. */
export async function runInProcess(
  { actions, failurePercent, assumed = USUAL }: ActionSequence & { readonly assumed?: Assumed },
  check?: (document: Json, state: State) => void,
): Promise<void> {
  const problems: string[] = [];
  const now = async () => Date.parse((await sandbox.control('GET', '/clock')).body.now);
  const transport = receivers(() => failurePercent, now, problems, assumed);
  const sandbox: InProcess = openInProcess(
    { fixtures: CARD_NETWORK, assume: toOption(assumed) },
    { transport },
  );
  try {
    const model = new Model(failurePercent, assumed);
    await runSequence(sandbox.send, model, actions);
    check?.((await sandbox.send(null, 'GET', '/state')).body, model.state);
    await checkSettings(sandbox.send, model);
  } finally {
    sandbox.stop();
  }
  if (problems.length > 0) throw new Error(problems[0]);
}
