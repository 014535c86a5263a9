import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { OwnProcess } from '../../../sandbox/sandbox.ts';

/** Set in a process that `--background` starts. It reports to its parent over the channel between them. */
export const BACKGROUND_VARIABLE = 'CARD_SANDBOX_BACKGROUND';

/** What a process in the background reports once it listens. */
export interface ProcessReport {
  /** The line of `--log-format json`. */
  readonly line: string;
  readonly instance: string;
  readonly pid: number;
}

/** Describes this process to the control plane. `stopRequest` is aborted when a client stops the sandbox. */
export function createOwnProcess(): { readonly own: OwnProcess; readonly stopRequest: AbortSignal } {
  const stopping = new AbortController();
  const { pid } = process;
  // The process id shows whether a sandbox that does not respond still runs. The letter keeps apart two numbers that
  // together could look like a card number, which messages mask.
  const instance = `${pid}-i${randomBytes(4).toString('hex')}`;
  const own = { pid, machine: hostname(), instance, stop: () => stopping.abort() };
  return { own, stopRequest: stopping.signal };
}

/** Reports that this process listens, if `--background` has started it. */
export function reportToParent(line: () => string, { instance, pid }: OwnProcess): void {
  if (process.env[BACKGROUND_VARIABLE] === undefined || process.send === undefined) return;
  const report: ProcessReport = { line: line(), instance, pid };
  process.send(report, () => process.disconnect?.());
}
