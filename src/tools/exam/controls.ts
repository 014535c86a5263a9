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
    members: ['crowd', 'fixture'],
    control: {
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
    reason: 'the tests fail as soon as there is one other cardholder with a card, so they count records',
  },
  {
    members: ['people'],
    control: { people: [{ firstName: 'Ada', lastName: 'Miller' }] },
    reason: 'the tests expect certain names of the people that the sandbox generates',
  },
  {
    members: ['environment'],
    control: { environment: { TZ: 'Pacific/Kiritimati' } },
    reason: 'the tests fail in another time zone on any date',
  },
];

/** Runs the command under a control. Resolves with whether it passed. */
export type RunControl = (control: Disturbance) => Promise<boolean>;

/**
 * Returns a function that takes out of a disturbance under which the command failed what says nothing about its app. It
 * resolves with the rest, and the reasons; none if nothing was taken out. Each control runs once.
 */
export function createControls(run: RunControl) {
  const passed = new Map<Part, Promise<boolean>>();
  return async (disturbance: Disturbance) => {
    const reasons: string[] = [];
    let rest = disturbance;
    for (const part of PARTS) {
      if (!part.members.some(member => rest[member] !== undefined)) continue;
      const passing = passed.get(part) ?? run(part.control);
      passed.set(part, passing);
      if (await passing) continue;
      reasons.push(part.reason);
      rest = without(rest, part.members);
    }
    return { rest, reasons };
  };
}

function without(disturbance: Disturbance, members: readonly (keyof Disturbance)[]): Disturbance {
  return Object.fromEntries(
    Object.entries(disturbance).filter(([name]) => !members.some(member => member === name)),
  );
}

/** Whether a disturbance changes anything. */
export function disturbs({ sparesLibrary: _, ...changes }: Disturbance): boolean {
  return Object.keys(changes).length > 0;
}
