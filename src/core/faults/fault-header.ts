import { type ApiError, badRequest } from '../operation/errors.ts';
import type { ApiRequest } from '../request/http.ts';
import { parseDuration } from '../values/duration.ts';
import { describeIssue } from '../values/schemas/validation-messages.ts';
import { shorten } from '../values/shorten.ts';
import { FAULT_RULE, faultProblem } from './fault.ts';
import { type FaultEffect, MAX_DELAY_MS, parseFaultEffect } from './schema.ts';

/** The header that sets a fault for its own request, in lower case. */
const FAULT_HEADER = 'x-sandbox-fault';
const FORM = 'status=503; delay=250ms, with status, delay, retry-after, drop and when';

/** The fault member for each part of the header. */
const MEMBERS: Readonly<Record<string, keyof FaultEffect>> = {
  status: 'status',
  delay: 'delayMs',
  'retry-after': 'retryAfter',
  drop: 'drop',
  when: 'when',
};

/**
 * Parses the fault in a request's own header, `X-Sandbox-Fault: status=503; delay=250ms`. Returns null without that
 * header. Throws a 400 for a header that is not valid.
 */
export function readFaultHeader(request: ApiRequest): FaultEffect | null {
  const value = request.headers[FAULT_HEADER];
  if (value === undefined) return null;
  if (typeof value !== 'string') throw refusal('must be given once');
  const members = new Map<string, unknown>();
  for (const part of value.split(';').map(each => each.trim())) {
    if (part === '') continue;
    const [name = '', text] = part.split(/\s*=\s*(.*)/s, 2);
    const member = MEMBERS[name.toLowerCase()];
    if (member === undefined) {
      throw refusal(`${JSON.stringify(shorten(part))} is not a part of a fault; use ${FORM}`);
    }
    if (members.has(member)) throw refusal(`${name} must be given once`);
    members.set(member, parsePart(member, text));
  }
  const result = parseFaultEffect(Object.fromEntries(members), describeIssue);
  if (!result.success) {
    throw refusal(result.error.issues.map(issue => `${nameOf(issue.path[0])} ${issue.message}`).join('; '));
  }
  const problem = faultProblem(result.data);
  if (problem !== null) throw refusal(problem);
  return result.data;
}

/** Parses the value of a part. A value that cannot be parsed stays a string, which the schema refuses. */
function parsePart(member: keyof FaultEffect, text: string | undefined): unknown {
  if (member === 'drop') return text === undefined || text === 'true' ? true : text;
  if (text === undefined) throw refusal(`${nameOf(member)} needs a value; use ${FORM}`);
  if (member === 'when') return text;
  if (member !== 'delayMs') return /^\d{1,9}$/.test(text) ? Number(text) : text;
  const delay = parseDuration(text);
  if (delay === null || delay > MAX_DELAY_MS) {
    throw refusal(`delay must be a duration such as 250ms or 2s, at most ${MAX_DELAY_MS / 1_000}s`);
  }
  return delay;
}

function nameOf(member: unknown): string {
  return Object.keys(MEMBERS).find(name => MEMBERS[name] === member) ?? '';
}

function refusal(problem: string): ApiError {
  return badRequest(FAULT_RULE, `header X-Sandbox-Fault: ${problem}`);
}
