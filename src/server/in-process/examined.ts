import { BuiltFixture, type LoadableFixture } from '../../sandbox/fixtures/define/built-fixture.ts';
import { FixtureError } from '../../sandbox/fixtures/file/fixture-error.ts';
import { DEFAULT_FIXTURE } from '../../sandbox/fixtures/file/source.ts';
import type { CoreOptions } from '../../sandbox/options.ts';
import { type CoreHooks, createSandboxCore, type SandboxCore } from '../../sandbox/sandbox.ts';
import { EXAM_VARIABLE, type ExamOrder, readOrder } from '../../tools/exam/exam-order.ts';

/**
 * Creates the core of a sandbox in this process, disturbed when `card-sandbox exam` runs it. Throws the errors of
 * `createSandboxCore`.
 */
export function createExaminedCore(
  options: CoreOptions,
  hooks: CoreHooks,
  controlToken: string,
): SandboxCore {
  const file = process.env[EXAM_VARIABLE] ?? '';
  return file === '' ? createSandboxCore(options, hooks) : examined(file, options, hooks, controlToken);
}

function examined(file: string, options: CoreOptions, hooks: CoreHooks, controlToken: string): SandboxCore {
  const { disturbance, attendance, notes } = readOrder(file, process.pid);
  if (options.clock !== undefined) notes.addOwnClock();
  const examinedHooks = { ...hooks, ...attendance.hooks };
  const core = withRecords(disturbance.fixture, { ...disturbance.options, ...options }, examinedHooks);
  attendance.attach(core, controlToken);
  return core;
}

/** Creates a core with additional records, or without them if they do not fit its fixtures. */
function withRecords(
  fixture: ExamOrder['disturbance']['fixture'],
  options: CoreOptions,
  hooks: CoreHooks,
): SandboxCore {
  if (fixture === undefined) return createSandboxCore(options, hooks);
  const own: readonly LoadableFixture[] = options.fixtures ?? [DEFAULT_FIXTURE];
  const added = new BuiltFixture('the records of the exam', fixture);
  try {
    return createSandboxCore({ ...options, fixtures: [...own, added] }, hooks);
  } catch (error) {
    if (error instanceof FixtureError) return createSandboxCore(options, hooks);
    throw error;
  }
}
