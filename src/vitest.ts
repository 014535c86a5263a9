import { type TestAPI, test } from 'vitest';
import type { NewPartner } from './client/records.ts';
import type { Checkpoint, Sandbox } from './client/sandbox-handle.ts';
import { connect, createSandbox } from './surfaces/in-process/create-sandbox.ts';
import type { ConnectOptions, SandboxOptions } from './surfaces/in-process/sandbox-options.ts';

/** The sandbox of the tests: the options of `createSandbox`, and how tests share it. */
export interface SandboxTestOptions extends SandboxOptions {
  /**
   * The tests that share a sandbox: those of a `file` (the default), or of all files of a `worker`. Vitest runs each
   * file in its own worker unless `isolate` is false.
   */
  readonly scope?: 'file' | 'worker' | undefined;
  /** A running sandbox that all files share, instead of one in process. */
  readonly connect?: ConnectOptions | undefined;
  /**
   * Restores, before each test, the state before the first test of the file. Only for a sandbox that a single file uses,
   * and not for concurrent tests. Default: false.
   */
  readonly restore?: boolean | undefined;
}

/** The fixtures of the tests. */
export interface SandboxFixtures {
  readonly sandbox: Sandbox;
  /** A partner that only this file uses, with its API key and its first card program. */
  readonly partner: NewPartner;
}

/**
 * A `test` for Vitest (3.2 or later) with the fixtures `sandbox` and `partner`. Throws when `restore` is combined with
 * `scope: 'worker'` or `connect`, because it would change the state for other files.
 */
export function sandboxTest(options: SandboxTestOptions = {}): TestAPI<SandboxFixtures> {
  const { scope = 'file', connect: address, restore = false, ...sandboxOptions } = options;
  if (restore && (scope === 'worker' || address !== undefined)) {
    throw new Error('restore: needs a sandbox that a single file uses; omit scope and connect');
  }
  const checkpoints = new WeakMap<Sandbox, Checkpoint>();
  const extended = test.extend<SandboxFixtures & { readonly restored: undefined }>({
    sandbox: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures to set up
      async ({}, use) => {
        const sandbox = address === undefined ? createSandbox(sandboxOptions) : await connect(address);
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
  });
  // The fixture `restored` is internal.
  return extended as unknown as TestAPI<SandboxFixtures>;
}
