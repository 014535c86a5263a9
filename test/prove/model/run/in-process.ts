import { NETWORK } from '../../../support/fixtures/card-network.ts';
import { type InProcess, openInProcess } from '../../../support/in-process.ts';
import type { Action } from '../actions.ts';
import { Model } from '../model.ts';
import { receivers } from '../receivers.ts';
import { play } from './play.ts';

/** What is done, and how often the receivers of webhooks fail, in percent. */
export interface Story {
  readonly actions: readonly Action[];
  readonly failing: number;
}

/** Plays a story in a sandbox of its own without a server; `create` makes it out of other code than ours. */
export async function playInProcess(
  { actions, failing }: Story,
  create?: Parameters<typeof openInProcess>[2],
): Promise<void> {
  const wrong: string[] = [];
  const now = async () => Date.parse((await sandbox.control('GET', '/clock')).body.now);
  const transport = receivers(() => failing, now, wrong);
  const sandbox: InProcess = openInProcess({ fixtures: NETWORK }, { transport }, create);
  try {
    await play(sandbox.ask, new Model(failing), actions);
  } finally {
    sandbox.stop();
  }
  if (wrong.length > 0) throw new Error(wrong[0]);
}
