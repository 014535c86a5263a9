import { failedTests } from './failing-lines.ts';
import type { FinishedRun } from './judge.ts';
import type { Disturbance } from './misbehaviour.ts';

/**
 * A part of a disturbance that can fail tests for their own reasons, such as tests that count all records. A command that
 * fails under a milder one as well says nothing about its app.
 */
interface Part {
  readonly members: readonly (keyof Disturbance)[];
  /** What has to be harmless for the part to say anything. */
  readonly control: Disturbance;
  /** Why the part says nothing if the command fails under the control. */
  readonly reason: string;
}

const PARTS: readonly Part[] = [
  {
    members: ['crowd', 'fixture', 'showsInAmounts'],
    control: {
      // One record that is older than the records of the command, and one that is newer.
      crowd: [{}],
      fixture: {
        cardholders: [
          {
            id: 'ch_exam_control',
            externalUserId: 'exam_control',
            email: 'exam.control@example.com',
            kycStatus: 'approved',
            card: { status: 'active', transactions: [{ amount: 12 }] },
          },
        ],
        usage: [{ type: 'kyc_verification', amount: 1, referenceId: 'ch_exam_control' }],
      },
    },
    reason:
      'the tests fail as soon as there are two other cardholders with cards, so they count records, or take the first that they find',
  },
  {
    members: ['people'],
    control: { people: [{ firstName: 'Ada', lastName: 'Miller' }] },
    reason: 'the tests expect certain names of the people that the sandbox generates',
  },
  {
    members: ['kycDelay'],
    control: { kycDelay: '2500ms' },
    reason: 'the tests fail as soon as KYC takes half a second longer, so they expect a certain time',
  },
];

export type RunControl = (control: Disturbance) => Promise<Pick<FinishedRun, 'code' | 'output'>>;

interface Remainder {
  readonly rest: Disturbance;
  readonly reasons: readonly string[];
  /** The tests that fail under the controls of these parts. */
  readonly failed: ReadonlySet<string>;
}

/**
 * Returns a function that takes out of a disturbance under which the command failed what says nothing about its app,
 * because the command fails under a control, too. A control that fails runs again: once is not enough to excuse an app.
 */
export function createControls(run: RunControl) {
  const runTwice = async (control: Disturbance) => {
    const first = await run(control);
    return first.code === 0 ? first : run(control);
  };
  const runs = new Map<Part, ReturnType<RunControl>>();
  return async (disturbance: Disturbance): Promise<Remainder> => {
    const reasons: string[] = [];
    const failed = new Set<string>();
    let rest = disturbance;
    for (const part of PARTS) {
      if (!part.members.some(member => rest[member] !== undefined)) continue;
      const running = runs.get(part) ?? runTwice(part.control);
      runs.set(part, running);
      const { code, output } = await running;
      if (code === 0) continue;
      reasons.push(part.reason);
      for (const name of failedTests(output)) failed.add(name);
      rest = without(rest, part.members);
    }
    return { rest, reasons, failed };
  };
}

function without(disturbance: Disturbance, members: readonly (keyof Disturbance)[]): Disturbance {
  return Object.fromEntries(
    Object.entries(disturbance).filter(([name]) => !members.some(member => member === name)),
  );
}

export function disturbs({ sparesLibrary: _, ...changes }: Disturbance): boolean {
  return Object.keys(changes).length > 0;
}
