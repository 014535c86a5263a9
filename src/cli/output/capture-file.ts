import { appendFileSync, writeFileSync } from 'node:fs';
import { type CaptureHead, captureLine, type Exchange } from '../../tools/evidence.ts';
import { errorCode } from '../errors.ts';

/** Adds an exchange to a capture, with the probe or the step that it belongs to. */
export type Capture = (part: string, exchange: Exchange) => void;

/**
 * Begins a capture file, which only its owner can read, and returns a function that adds to it. Throws when the file
 * cannot be written.
 */
export function openCapture(file: string, service: string): Capture {
  const head: CaptureHead = { capture: 1, service, startedAt: new Date(Date.now()).toISOString() };
  try {
    writeFileSync(file, `${JSON.stringify(head)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new Error(`${file} cannot be written (${errorCode(error)})`);
  }
  return (part, exchange) =>
    appendFileSync(file, `${JSON.stringify(captureLine(part, exchange, Date.now()))}\n`);
}
