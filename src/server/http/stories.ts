import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../client/client.ts';
import type { SandboxCore } from '../../sandbox/sandbox.ts';
import type { StoryFiles } from '../../tools/scenarios/present/own-stories.ts';
import { Stories } from '../../tools/scenarios/present/stories.ts';
import { createFetch, type RequestHandlers } from '../in-process/fetch.ts';

/** Where a server that plays stories is, and its own stories. */
interface StoryServer {
  readonly origin: string;
  readonly controlToken: string;
  readonly own: StoryFiles;
}

/** Creates the player of a server's stories. */
export function createStories(
  sandbox: RequestHandlers & Pick<SandboxCore, 'options'>,
  { origin, controlToken, own }: StoryServer,
): Stories {
  // Without the network, so that the certificate and the proxy of a server do not matter.
  const fetch = createFetch(() => sandbox, origin, new AbortController().signal);
  const client = createClient({ url: origin, controlToken, fetch });
  const { names, documentedOnly } = sandbox.options;
  return new Stories({
    own,
    names,
    documentedOnly,
    clientOf: world => client.inWorld(world),
    wallClock: { sleep: ms => sleep(ms), elapsed: () => performance.now() },
    newText: () => randomBytes(24).toString('hex'),
  });
}
