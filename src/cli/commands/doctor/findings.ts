import type { Probe } from './probes.ts';
import type { Answered } from './send.ts';

/** How a receiver took one probe. */
export interface Finding extends Answered {
  readonly probe: Probe;
  /** Wrong, doubtful, or as it should be. */
  readonly verdict: 'passed' | 'doubtful' | 'failed';
  /** What the receiver did, in a few words. */
  readonly got: string;
}

/** All that was found out about a receiver. */
export interface Examination {
  /** From A, nothing to say, to F, forged events are accepted or genuine ones refused. */
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'F';
  readonly findings: readonly Finding[];
  /** What is wrong with the receiver, worst first; each a sentence. */
  readonly diagnoses: readonly string[];
}

/** So late an answer is near the time-out of a delivery, which is 10 s. */
const SLOW_MS = 5_000;
/** Anyone can send these: no genuine delivery has to be overheard for them. */
const FORGED = ['tampered', 'wrong-secret', 'prefix', 'short', 'missing', 'malformed'];

/** How a receiver took a probe, by what it answered. */
export function findingOf(probe: Probe, answered: Answered): Finding {
  const { status, cause, durationMs } = answered;
  const isAccepted = status !== null && status >= 200 && status < 300;
  const late = durationMs > SLOW_MS ? ` after ${(durationMs / 1000).toFixed(1)} s` : '';
  const got =
    status === null ? `no answer: ${cause}` : `${isAccepted ? 'accepted' : 'refused'} with ${status}${late}`;
  return { probe, ...answered, got, verdict: verdictOn(probe, answered, isAccepted) };
}

function verdictOn(
  { expected, isNeeded }: Probe,
  { status, durationMs }: Answered,
  isAccepted: boolean,
): Finding['verdict'] {
  if (isAccepted !== (expected === 'accept')) return isNeeded ? 'failed' : 'doubtful';
  const isClean = isAccepted || (status !== null && status >= 400 && status < 500);
  return isClean && durationMs <= SLOW_MS ? 'passed' : 'doubtful';
}

/** Grades a receiver and says what is wrong with it. */
export function examine(findings: readonly Finding[]): Examination {
  const wrong = findings.filter(({ verdict }) => verdict === 'failed').map(({ probe }) => probe.id);
  const doubts = findings.filter(({ verdict }) => verdict === 'doubtful').length;
  const isWorst = wrong.some(id => id === 'valid' || FORGED.includes(id));
  const grade = isWorst ? 'F' : wrong.length > 0 ? 'D' : doubts > 1 ? 'C' : doubts === 1 ? 'B' : 'A';
  return { grade, findings, diagnoses: diagnosesOf(findings, wrong) };
}

function diagnosesOf(findings: readonly Finding[], wrong: readonly string[]): string[] {
  const isWrong = (...ids: readonly string[]) => ids.some(id => wrong.includes(id));
  const isUnverified = ['tampered', 'wrong-secret', 'missing'].every(id => wrong.includes(id));
  if (isUnverified) {
    return [
      'It does not check signatures: anyone who knows its address can send it events.',
      ...others(findings),
    ];
  }
  const found: (string | false)[] = [
    isWrong('valid') &&
      'It refuses genuine deliveries: does it verify with this --secret, and is the path of the URL right?',
    isWrong('tampered', 'wrong-secret') && 'It accepts signatures that do not fit the body and the secret.',
    isWrong('missing') && 'It checks a signature only where there is one.',
    isWrong('malformed') && 'It accepts a header that is no signature.',
    isWrong('prefix', 'short') &&
      !isWrong('tampered', 'wrong-secret') &&
      'It compares only a part of the signature: compare the whole, in constant time (timingSafeEqual).',
    isWrong('stale', 'future') &&
      'It does not check how old the timestamp is: a recorded delivery can be replayed; allow 5 minutes.',
    (isWrong('reserialized') || (isWrong('spelling') && !isWrong('valid'))) &&
      'It parses the body before it verifies it: verify the raw bytes as they came, then parse.',
    isWrong('duplicate') &&
      !isWrong('valid') &&
      'It refuses an event that it has seen: answer 2xx and do nothing.',
  ];
  return [...found.filter(each => each !== false), ...others(findings)];
}

/** What is doubtful, in sentences. */
function others(findings: readonly Finding[]): string[] {
  const doubtful = findings.filter(({ verdict }) => verdict === 'doubtful');
  const broken = doubtful.filter(
    ({ probe, status }) => probe.expected === 'refuse' && (status === null || status >= 500),
  );
  const late = doubtful.filter(({ durationMs, status }) => status !== null && durationMs > SLOW_MS);
  const lost = doubtful.filter(({ probe, cause }) => probe.expected === 'accept' && cause !== null);
  const titles = (each: readonly Finding[]) => each.map(({ probe }) => `"${probe.title}"`).join(', ');
  return [
    ...(broken.length === 0 ? [] : [`It fails instead of refusing: ${titles(broken)}; answer 401.`]),
    ...(late.length === 0
      ? []
      : [
          `It answers late: ${titles(late)}; a delivery times out after 10 s, so acknowledge first and work later.`,
        ]),
    ...(lost.length === 0 ? [] : [`It does not accept: ${titles(lost)}.`]),
  ];
}
