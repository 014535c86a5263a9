import { type TestAPI, test } from 'vitest';
import type { Checkpoint, Sandbox } from './client/sandbox-handle.ts';
import type { NewPartner } from './client/records.ts';
import {
  type ConnectOptions,
  connect,
  createSandbox,
  type SandboxOptions,
} from './surfaces/in-process/embedded.ts';

/** How tests get their sandbox. */
export interface SandboxTestOptions extends SandboxOptions {
  /**
   * Who shares a sandbox: the tests of a `file` (the default), or all files of a `worker`. Vitest runs each file in a
   * worker of its own unless `isolate` is false.
   */
  readonly scope?: 'file' | 'worker' | undefined;
  /** A running sandbox that all files share, in place of one in process. */
  readonly connect?: ConnectOptions | undefined;
  /**
   * Goes back, before each test, to the world that the file began with. Only for a sandbox that a file has alone,
   * and not for tests that run concurrently.
   */
  readonly restore?: boolean | undefined;
}

/** What tests are given. */
export interface SandboxFixtures {
  readonly sandbox: Sandbox;
  /** The file's own partner, which no other file knows: its key, and its first card program. */
  readonly partner: NewPartner;
}

/**
 * A `test` for vitest (3.2 or later) whose tests are given a sandbox and a partner. Throws where `restore` would take the
 * world from under other files.
 */
export function sandboxTest(options: SandboxTestOptions = {}): TestAPI<SandboxFixtures> {
  const { scope = 'file', connect: address, restore = false, ...own } = options;
  if (restore && (scope === 'worker' || address !== undefined)) {
    throw new Error('restore: goes with a sandbox that a file has alone; leave out scope and connect');
  }
  const begun = new WeakMap<Sandbox, Checkpoint>();
  const given = test.extend<SandboxFixtures & { readonly asItBegan: undefined }>({
    sandbox: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are needed
      async ({}, use) => {
        const sandbox = address === undefined ? createSandbox(own) : await connect(address);
        await sandbox.ready;
        await use(sandbox);
        await sandbox.close();
      },
      { scope },
    ],
    partner: [async ({ sandbox }, use) => use(await sandbox.partners.create()), { scope: 'file' }],
    asItBegan: [
      async ({ sandbox, partner: _partner }, use) => {
        if (restore) {
          const before = begun.get(sandbox);
          if (before === undefined) begun.set(sandbox, await sandbox.checkpoint());
          else await before.restore();
        }
        await use(undefined);
      },
      { auto: restore },
    ],
  });
  // The third fixture is of no use to tests.
  return given as unknown as TestAPI<SandboxFixtures>;
}
