import { performance } from '../../core/values/builtins.ts';
import { readThrown } from '../../core/values/read-thrown.ts';
import { buildFixtures, type FixtureOption } from '../../sandbox/fixtures/define/build-fixtures.ts';
import { OPTIONS, OptionError } from '../../sandbox/options.ts';
import {
  type CoreHooks,
  type OwnProcess,
  type SandboxCore,
  type Saved,
  startSandboxCore,
} from '../../sandbox/sandbox.ts';
import { type ListenOptions, type RunningServer, serve } from '../../server/http/server.ts';
import { newControlToken, newSecretKey } from '../../server/http/server-secrets.ts';
import { readStories } from '../../tools/scenarios/present/create-stories.ts';
import { errorCode, errorMessage, ListenError } from '../errors.ts';
import { jsonDelivery, jsonRequest, type Log, prettyDelivery, prettyRequest } from '../log.ts';
import { failure, progress } from '../output/print.ts';
import { withEndRequest } from '../signals.ts';
import type { ServeFlags } from './sandbox-flags.ts';
import { filesToWatch, watchFixtures } from './watch-fixtures.ts';

/** The flags of a sandbox. Its fixtures may be built in code, too. */
export type LaunchFlags = Omit<ServeFlags, 'fixtures'> & {
  readonly fixtures?: readonly FixtureOption[];
  /** Whether the control plane needs its token on loopback, too. Default: false. */
  readonly requireToken?: boolean;
};

/** What is called with what happens. Default for requests and webhooks: what writes them to the log. */
export type LaunchHooks = Pick<CoreHooks, 'onResponse' | 'onDelivery' | 'records' | 'disturbance'>;

export interface Launched {
  readonly sandbox: SandboxCore;
  readonly server: RunningServer;
  readonly controlToken: string;
}

/** Starts a sandbox and serves it. `process` is set when this process does nothing else. Rejects with a message for people when it cannot listen. */
export async function launch(
  flags: LaunchFlags,
  log: Log | null,
  process?: OwnProcess,
  hooks: LaunchHooks = {},
): Promise<Launched> {
  const { watch, port, host, allowHost, trustProxy = false, requireToken, ...rest } = flags;
  const { controlToken: token, handlers: file, scenarios, ...options } = rest;
  const watched = watch ? filesToWatch(options.fixtures?.filter(each => typeof each === 'string')) : null;
  // Imported only when there are handlers, so that other starts do not load the code that runs them.
  const handlers =
    file === undefined
      ? undefined
      : await import('../../server/in-process/handlers.ts').then(({ loadHandlers }) => loadHandlers(file));
  const createStories = await readStories(scenarios);
  const fixtures =
    options.fixtures && (await buildFixtures(options.fixtures, options.seed ?? OPTIONS.seed.initial));
  const sandbox = await startSandboxCore(
    { ...options, fixtures },
    {
      ...(log !== null && logHooks(log)),
      ...hooks,
      process,
      secretKey: newSecretKey(options.seed),
      onSaveError: error =>
        failure(`the state is not saved; the sandbox keeps running: ${errorMessage(error)}`),
      onBug: (error, where) => failure(`bug in the sandbox, in ${where}: ${stackOf(error)}`),
    },
    createLoadingProgress(),
  );
  const controlToken = token ?? newControlToken();
  const listen = { port, host, allowHost, trustProxy, controlToken, requireToken };
  const server = await serveOrStop(sandbox, { ...listen, handlers, createStories });
  if (watched !== null) watchFixtures(sandbox, watched, log ?? { isJson: false, write: progress });
  return { sandbox, server, controlToken };
}

/** Serves a sandbox. Stops it and rejects with a message for people when it cannot listen. */
export function serveOrStop(sandbox: SandboxCore, options: ListenOptions): Promise<RunningServer> {
  const { host, port } = options;
  return serve(sandbox, options).catch(error => {
    sandbox.stop();
    throw error instanceof OptionError ? error : listenError(error, host, port);
  });
}

function logHooks({ isJson, write }: Log): LaunchHooks {
  const [requestLine, deliveryLine] = isJson ? [jsonRequest, jsonDelivery] : [prettyRequest, prettyDelivery];
  return {
    onResponse: entry => write(requestLine(entry)),
    onDelivery: entry => write(deliveryLine(entry)),
  };
}

function listenError(error: unknown, host: string, port: number): ListenError {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    return new ListenError(
      'port',
      `port ${port} on ${host} is in use; stop the process that listens there, or pass --port 0 for a free port`,
    );
  }
  if (code === 'EACCES') {
    return new ListenError(
      'port',
      `port ${port} on ${host} requires elevated privileges; pass a --port of 1024 or above`,
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new ListenError(
      'host',
      `--host ${host} is not an address of this machine; pass 127.0.0.1, or 0.0.0.0 for all its addresses`,
    );
  }
  return new ListenError('host', `cannot listen on ${host}, port ${port}: ${errorMessage(error)}`);
}

function stackOf(error: unknown): string {
  const { stack, message } = readThrown(error);
  return stack || message;
}

/** How long requests in flight may take to finish. With the last output this stays under 2 s. */
const GRACE_MS = 1_000;

/**
 * Ends a sandbox: lets requests in flight finish, and saves its state. A signal meanwhile cuts short the requests, never
 * the save. Rejects with a StateFileError if the state cannot be saved.
 */
export async function shutDown({ sandbox, server }: Pick<Launched, 'sandbox' | 'server'>): Promise<void> {
  await withEndRequest(async ({ signal }) => {
    await server.close(GRACE_MS, signal);
    reportSave(await sandbox.saveState());
  }).finally(() => sandbox.stop());
}

function reportSave(saved: Saved | null): void {
  if (saved === null) return;
  const { file, records, bytes } = saved;
  progress(`saved the state to ${file}: ${records} records, ${bytes} bytes`);
}

/** When a long loading first shows how far it is, and how often from then on. */
const QUIET_MS = 1_000;
const PROGRESS_MS = 5_000;

function createLoadingProgress(): (steps: number) => void {
  let nextAt = performance.now() + QUIET_MS;
  return steps => {
    const now = performance.now();
    if (now < nextAt) return;
    nextAt = now + PROGRESS_MS;
    progress(`loading: ${steps.toLocaleString('en')} records`);
  };
}
