import { assumed } from '../operation/errors.ts';
import type { FaultEffect } from './schema.ts';

/** Statuses whose responses have no body in HTTP. */
const BODILESS: readonly number[] = [204, 205, 304];

/** The rule behind every fault and every refusal of one. */
export const FAULT_RULE = assumed('faults');

/** The problem with a combination of members, or null when it is valid. */
export function faultProblem(effect: FaultEffect): string | null {
  const { status, retryAfter, body, delayMs, unknownFields, drop } = effect;
  const hasResponse = status !== undefined || body !== undefined;
  if (!hasResponse && delayMs === undefined && unknownFields === undefined && drop === undefined) {
    return 'a fault needs an effect: a status, a delay, a body, unknownFields or drop';
  }
  if (unknownFields && (hasResponse || drop)) {
    return 'unknownFields changes the response of the sandbox; leave out status, body and drop';
  }
  if (drop && (hasResponse || retryAfter !== undefined)) {
    return 'a fault that drops the connection sends no response; leave out status, body and retry-after';
  }
  if (retryAfter !== undefined && status === undefined) return 'retry-after needs a status';
  if (status !== undefined && isBodiless(status) && body !== undefined && body !== null) {
    return `a response with status ${status} has no body; leave it out`;
  }
  return null;
}

/** Whether responses with this status have no body. */
export function isBodiless(status: number): boolean {
  return BODILESS.includes(status);
}
