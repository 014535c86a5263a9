import { forgeries, indent, signAt, type Variation } from '../forgeries.ts';

export type Expected = 'accept' | 'refuse';

export interface Probe extends Variation {
  readonly title: string;
  readonly expected: Expected;
  /** Whether any other outcome fails the probe; otherwise it is only doubtful. */
  readonly isRequired: boolean;
  readonly why: string;
  /**
   * The sentence about a receiver that accepts it, where the interface leaves open whether it should: it is a warning that
   * does not count for the grade.
   */
  readonly policy?: string;
}

const LARGE_BYTES = 256 * 1024;

const FAR_SECONDS = 10 * 60;

/** The probes, in the order in which they are sent. The first is the genuine delivery, and so is the last. */
export const probes: readonly Probe[] = [
  {
    id: 'valid',
    title: 'genuine',
    expected: 'accept',
    isRequired: true,
    why: 'A refused delivery is retried five times and then lost.',
  },
  {
    id: 'duplicate',
    title: 'the same event again',
    expected: 'accept',
    isRequired: true,
    why: 'A response may get lost, so an event may arrive twice: acknowledge it and do nothing the second time.',
    repeats: 'valid',
  },
  {
    id: 'spelling',
    title: 'genuine, with other white space',
    expected: 'accept',
    isRequired: true,
    why: 'The raw bytes are signed, not the parsed value.',
    write: text => indent(text).replace('Zoë', 'Zo\\u00eb'),
  },
  ...forgeries.flatMap(({ probe }): Probe[] =>
    probe === undefined ? [] : [{ ...probe, expected: 'refuse', isRequired: true }],
  ),
  {
    id: 'old',
    title: 'signed 10 minutes ago',
    expected: 'refuse',
    isRequired: false,
    why: 'The longer a delivery is accepted, the longer a recorded one can be replayed.',
    policy:
      'It accepts a delivery that was signed 10 minutes ago. The interface states no tolerance; 5 minutes is usual.',
    sign: signAt(-FAR_SECONDS),
  },
  {
    id: 'future',
    title: 'signed 10 minutes in the future',
    expected: 'refuse',
    isRequired: false,
    why: 'A delivery with a time ahead of the clock can be replayed until that time has expired.',
    policy:
      'It accepts a delivery whose timestamp is 10 minutes ahead of its clock. The interface states no tolerance; 5 minutes in either direction is usual.',
    sign: signAt(FAR_SECONDS),
  },
  {
    id: 'unknown-type',
    title: 'genuine, of an unknown event type',
    expected: 'accept',
    isRequired: false,
    why: 'New event types may be added; refused deliveries are retried.',
    eventType: 'card.doctor.unheard_of',
  },
  {
    id: 'large',
    title: 'genuine, 256 KiB long',
    expected: 'accept',
    isRequired: false,
    why: 'Many frameworks refuse bodies over 100 KiB by default.',
    data: { nameOnCard: 'x'.repeat(LARGE_BYTES) },
  },
  {
    id: 'afterwards',
    title: 'genuine, after all of these',
    expected: 'accept',
    isRequired: true,
    why: 'Anyone can send a forged delivery; if it ends the receiver, genuine ones are lost.',
  },
];

export interface ProbeResponse {
  readonly status: number | null;
  /** Why there was no response, or no 2xx; null for a 2xx. */
  readonly cause: string | null;
  readonly durationMs: number;
}

export interface Finding extends ProbeResponse {
  readonly probe: Probe;
  readonly verdict: 'passed' | 'doubtful' | 'failed';
  readonly outcome: string;
}

export interface Assessment {
  /** From A, no findings, to F, which accepts forged deliveries, or refuses genuine ones from the start or in the end. */
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'F';
  readonly findings: readonly Finding[];
  /** What is wrong with the receiver, worst first, one sentence each. */
  readonly diagnoses: readonly string[];
}

/** Close to the timeout of a delivery, which is 10 s. */
const SLOW_MS = 5_000;
/** Genuine deliveries of which nothing is unusual. */
const ORDINARY = ['valid', 'afterwards'];
/** Forgeries that need no genuine delivery, so that anyone can send them. */
const FORGED = ['tampered', 'wrong-secret', 'prefix', 'short', 'missing', 'malformed'];

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500;
}

export function findingOf(probe: Probe, response: ProbeResponse): Finding {
  const { status, cause, durationMs } = response;
  const isAccepted = isSuccess(status);
  const late = durationMs > SLOW_MS ? ` after ${(durationMs / 1000).toFixed(1)} s` : '';
  const outcome =
    status === null
      ? `no response: ${cause}`
      : `${isAccepted ? 'accepted' : isRefusal(status) ? 'refused' : 'answered'} with ${status}${late}`;
  return { probe, ...response, outcome, verdict: verdictOn(probe, response, isAccepted) };
}

function verdictOn(
  { expected, isRequired }: Probe,
  { status, durationMs }: ProbeResponse,
  isAccepted: boolean,
): Finding['verdict'] {
  const isClean = expected === 'accept' ? isAccepted : isRefusal(status);
  if (!isClean) return isRequired ? 'failed' : 'doubtful';
  return durationMs <= SLOW_MS ? 'passed' : 'doubtful';
}

export function assess(findings: readonly Finding[]): Assessment {
  const failed = findings.filter(({ verdict }) => verdict === 'failed');
  const wrong = failed.filter(each => !isUnrefused(each)).map(({ probe }) => probe.id);
  const doubts = findings.filter(each => each.verdict === 'doubtful' && !isPolicy(each)).length;
  const isWorst = wrong.some(id => [...ORDINARY, ...FORGED].includes(id));
  const grade = isWorst ? 'F' : failed.length > 0 ? 'D' : doubts > 1 ? 'C' : doubts === 1 ? 'B' : 'A';
  return { grade, findings, diagnoses: diagnosesOf(findings, wrong) };
}

/** Whether a receiver neither accepted nor refused what it must refuse. */
function isUnrefused({ probe, status }: Finding): boolean {
  return probe.expected === 'refuse' && !isSuccess(status) && !isRefusal(status);
}

/** Whether a receiver accepted what the interface lets it accept. */
function isPolicy({ probe, status }: Finding): boolean {
  return probe.policy !== undefined && isSuccess(status);
}

function diagnosesOf(findings: readonly Finding[], wrong: readonly string[]): string[] {
  const isWrong = (...ids: readonly string[]) => ids.some(id => wrong.includes(id));
  const isUnverified = ['tampered', 'wrong-secret', 'missing'].every(id => wrong.includes(id));
  const ofSignatures: readonly (string | false)[] = [
    isWrong('tampered', 'wrong-secret') && 'It accepts signatures that do not match the body and the secret.',
    isWrong('missing') && 'It accepts deliveries without a signature.',
    isWrong('malformed') && 'It accepts a malformed signature header.',
    isWrong('prefix', 'short') &&
      !isWrong('tampered', 'wrong-secret') &&
      'It compares only part of the signature: compare all of it, in constant time (timingSafeEqual).',
    isWrong('stale') &&
      'It does not check the age of the timestamp, so a recorded delivery can be replayed: allow 5 minutes.',
    (isWrong('reserialized') || (isWrong('spelling') && !isWrong('valid'))) &&
      'It parses the body before it verifies it: verify the raw bytes as received, then parse.',
  ];
  const found: readonly (string | false)[] = [
    isWrong('valid') &&
      'It refuses genuine deliveries: check that it verifies with this --secret and that the path of the URL is right.',
    isWrong('afterwards') &&
      !isWrong('valid') &&
      'It accepts no genuine delivery any more after the others: none of them may end it or lock others out.',
    ...(isUnverified
      ? ['It does not verify signatures: anyone who knows its URL can send it events.']
      : ofSignatures),
    isWrong('duplicate') &&
      !isWrong('valid') &&
      'It refuses an event that it has already processed: respond with 2xx and do nothing.',
  ];
  return [...found.filter(each => each !== false), ...warnings(findings)];
}

function warnings(findings: readonly Finding[]): string[] {
  const doubtful = findings.filter(({ verdict }) => verdict === 'doubtful');
  const broken = findings.filter(isUnrefused);
  const late = doubtful.filter(({ durationMs, status }) => status !== null && durationMs > SLOW_MS);
  const lost = doubtful.filter(({ probe, cause }) => probe.expected === 'accept' && cause !== null);
  // A receiver that accepts what is an hour old checks no age at all, which is said already.
  const isAgeless = findings.some(({ probe, verdict }) => probe.id === 'stale' && verdict === 'failed');
  const policies = isAgeless ? [] : doubtful.filter(isPolicy).map(({ probe }) => probe.policy ?? '');
  const titles = (each: readonly Finding[]) => each.map(({ probe }) => `"${probe.title}"`).join(', ');
  return [
    ...(broken.length === 0 ? [] : [`It does not refuse with a 4xx: ${titles(broken)}. Respond with 401.`]),
    ...(late.length === 0
      ? []
      : [
          `It responds late: ${titles(late)}. A delivery times out after 10 s, so acknowledge first and process later.`,
        ]),
    ...(lost.length === 0 ? [] : [`It does not accept: ${titles(lost)}.`]),
    ...policies,
  ];
}
