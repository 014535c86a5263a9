import { type TestAPI, test } from 'vitest';
import type { Checkpoint } from './client/controls.ts';
import type { NewPartner } from './client/generated/records.ts';
import type { CreateWorldOptions, Sandbox } from './client/handle.ts';
import { connect, createSandbox, OptionError } from './index.ts';
import type { ConnectOptions, SandboxOptions } from './server/in-process/sandbox-options.ts';
import { keepRecord, recordFolder, unrecorded } from './server/in-process/test-records.ts';

/** The sandbox of the tests: the options of `createSandbox`, and how tests share it. */
export interface SandboxTestOptions extends SandboxOptions {
  /**
   * The tests that share a sandbox: the tests of a `file` (the default), or of all files of a `worker`. Vitest runs each
   * file in its own worker unless `isolate` is false.
   */
  readonly scope?: 'file' | 'worker' | undefined;
  /**
   * A running sandbox in which each file, or each worker, has a world of its own, instead of one in process. The other
   * options apply to the world; omitted ones default to the sandbox's. With `world`, all files share that world.
   */
  readonly connect?: ConnectOptions | undefined;
  /**
   * Restores, before each test, the state before the first test of the file. Only for a world that a single file uses,
   * and not for concurrent tests. Default: false.
   */
  readonly restore?: boolean | undefined;
  /**
   * The folder for the records of failed tests, each named after its test: what was asked of the sandbox during the test,
   * with the state before it. The failure says how to open it. Default: the folder in `CARD_SANDBOX_RECORDS`, or none.
   */
  readonly records?: string | undefined;
}

/** The fixtures of the tests. */
export interface SandboxFixtures {
  readonly sandbox: Sandbox;
  /** A partner that only this file uses, with its API key and its first card program. */
  readonly partner: NewPartner;
}

/**
 * Returns a `test` for Vitest (3.2 or later) with the fixtures `sandbox` and `partner`. Throws when `restore` is combined
 * with `scope: 'worker'` or with the `world` of `connect`, because it would change the state for other files.
 *
 * @example
 * const test = sandboxTest({ restore: true });
 * test('the partner has no cards', async ({ sandbox, partner }) => {
 *   const { total } = await sandbox.as(partner).api.cards.list();
 * });
 */
export function sandboxTest(options: SandboxTestOptions = {}): TestAPI<SandboxFixtures> {
  // In JavaScript, the name of a test would be taken for options, and no test would run.
  if (typeof options !== 'object') {
    throw new OptionError('options', 'must be an object; call the test that sandboxTest({}) returns');
  }
  const { scope = 'file', connect: address, restore = false, records, ...sandboxOptions } = options;
  const folder = recordFolder(records);
  // Of the tests that fail, their own records are kept.
  const create = () => createSandbox(folder === null ? sandboxOptions : unrecorded(sandboxOptions));
  if (restore && (scope === 'worker' || address?.world !== undefined)) {
    throw new Error('restore: needs a world that a single file uses; omit scope and connect.world');
  }
  const [option] = Object.keys(sandboxOptions);
  if (address?.world !== undefined && option !== undefined) {
    throw new OptionError(
      option,
      'is for a new world, and connect.world names one that runs; omit one of them',
    );
  }
  const checkpoints = new WeakMap<Sandbox, Checkpoint>();
  const extended = test.extend<
    SandboxFixtures & { readonly restored: undefined; readonly recorded: undefined }
  >({
    sandbox: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures to set up
      async ({}, use) => {
        const sandbox = address === undefined ? create() : await connectTo(address, sandboxOptions);
        await sandbox.ready;
        await use(sandbox);
        await sandbox.close();
      },
      { scope },
    ],
    partner: [async ({ sandbox }, use) => use(await sandbox.partners.create()), { scope: 'file' }],
    restored: [
      async ({ sandbox, partner: _partner }, use) => {
        if (restore) {
          const checkpoint = checkpoints.get(sandbox);
          if (checkpoint === undefined) checkpoints.set(sandbox, await sandbox.checkpoint());
          else await checkpoint.restore();
        }
        await use(undefined);
      },
      { auto: restore },
    ],
    recorded: [
      async ({ sandbox, task, onTestFailed, restored: _restored }, use) => {
        if (folder !== null && !task.fails) {
          const [last] = await sandbox.history.list({ limit: 1 });
          onTestFailed(() => keepRecord(sandbox, folder, task, last));
        }
        await use(undefined);
      },
      { auto: folder !== null },
    ],
  });
  // The fixtures `restored` and `recorded` are internal.
  return extended as unknown as TestAPI<SandboxFixtures>;
}

/** Resolves with the handle of a new world, whose `close` ends it, or with that of the world in the address. */
async function connectTo(address: ConnectOptions, options: SandboxOptions): Promise<Sandbox> {
  const server = await connect(address);
  if (address.world !== undefined) return server;
  // Options that a world does not have, such as the path of a state file, are refused when the world is created.
  return server.worlds.create(options as unknown as CreateWorldOptions);
}
