import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CoreOptions } from '../../../src/sandbox/options.ts';
import { type CoreHooks, createSandboxCore, whenPrepared } from '../../../src/sandbox/sandbox.ts';
import { manualTime } from '../../support/manual-time.ts';
import { type Json, START } from '../../support/sandbox.ts';

/** A response with its parsed body. */
interface Answer {
  readonly status: number;
  readonly body: Json;
}

/**
 * Starts a sandbox that keeps its worlds in a folder, as a process does, in wall time that the test advances. `kill` leaves
 * the folder as SIGKILL does, `stop` as SIGTERM does.
 */
export function startInFolder(
  folder: string,
  options: CoreOptions = {},
  { from = START, ...hooks }: CoreHooks & { from?: string } = {},
) {
  const wall = manualTime(Date.parse(from));
  const problems: string[] = [];
  const saveErrors: string[] = [];
  const core = createSandboxCore(
    { fixtures: ['starter'], state: `${folder}/`, rateLimit: 0, ...options },
    {
      realTime: wall.realTime,
      onUnreadable: (_world, problem) => void problems.push(problem),
      onSaveError: error => void saveErrors.push(String(error)),
      ...hooks,
    },
  );
  let isRunning = true;
  const kill = () => {
    if (isRunning) core.stop();
    isRunning = false;
  };
  onTestFinished(kill);
  const ask = async (method: string, target: string, body?: Json, headers = {}): Promise<Answer> => {
    const [path = '', query = ''] = target.split('?');
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = {
      method,
      path,
      query,
      remoteAddress: '127.0.0.1',
      headers: { host: '127.0.0.1', ...json, ...headers },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    };
    const handle = path.startsWith('/v1')
      ? whenPrepared(core, core.handle)
      : path.startsWith('/_sandbox')
        ? core.control
        : whenPrepared(core, core.page);
    const response = await handle(request);
    const isJson = /^[[{]/.test(response.body);
    return { status: response.status, body: isJson ? JSON.parse(response.body) : response.body };
  };
  return {
    core,
    problems,
    saveErrors,
    ask,
    file: (name: string) => join(folder, name),
    has: (name: string) => existsSync(join(folder, name)),
    /** A call of the API with the key of a world. */
    api: (key: string, method: string, path: string, body?: Json) =>
      ask(method, `/v1/partner${path}`, body, { 'x-service-api-key': key }),
    /** A call of the control plane of a world, or of the server. */
    control: (method: string, path: string, body?: Json, headers = {}) =>
      ask(method, `/_sandbox${path}`, body, headers),
    pass: wall.pass,
    /** Lets the changes be saved that were made so far. */
    async save() {
      wall.pass(1_000);
      await core.saveState();
    },
    kill,
    async stop() {
      const saved = await core.saveState();
      kill();
      return saved;
    },
  };
}
