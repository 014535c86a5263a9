import { redactQuery } from '../../../core/redaction/redact.ts';
import { type Activity, type Call, isRefused, isUndelivered, type SentDelivery } from './activity.ts';

/** How a command ended, and what it did in its sandbox. */
export interface CommandResult {
  /** The name of the command. */
  readonly name: string;
  readonly code: number;
  /** The worlds in which something happened. */
  readonly worlds: readonly Activity[];
  /** How many more there were. */
  readonly omitted: number;
}

/** One line of a summary. */
interface Finding {
  readonly world: string;
  readonly id: string;
  readonly subject: string;
  readonly result: string;
  readonly reason: string;
}

/** A part of a summary, with what its findings are about: an id, and something else. */
interface Part {
  readonly title: string;
  readonly about: readonly [id: string, subject: string];
  readonly findings: readonly Finding[];
}

/** Cap on the lines of each part of a summary; the newest are shown. */
const MAX_LINES = 20;

/** Where no request was received, that none was refused says nothing. */
export const NO_REQUEST =
  'No API request reached the sandbox. The command may not read SERVICE_BASE_URL or CARD_SANDBOX_URL, may call another host, or may run the sandbox in its own process, which is not recorded.';

/** Returns what was refused and the undelivered webhooks as text; null when there are none. */
export function summaryText(worlds: readonly Activity[]): string | null {
  const lines = partsOf(worlds).flatMap(({ title, findings }) => [
    title,
    ...findings.map(({ world, id, subject, result, reason }) => {
      const place = worlds.length === 1 ? id : `${id} in ${world}`;
      return `  ${result} ${subject} (${place})\n      ${reason}`;
    }),
  ]);
  if (requestCount(worlds) === 0) lines.push(NO_REQUEST);
  return lines.length === 0 ? null : lines.join('\n');
}

/** Returns the same as a Markdown document, with the exit code of the command. */
export function summaryMarkdown({ worlds, name, code, omitted }: CommandResult): string {
  const parts = [...partsOf(worlds), ...attemptPart(worlds)];
  const requests = requestCount(worlds);
  const webhooks = worlds.reduce((sum, { deliveries }) => sum + deliveries.length, 0);
  const sentences = [
    `${cell(name)} exited with code ${code}.`,
    `Requests: ${requests}, webhooks at the end: ${webhooks}.`,
    ...(requests === 0 ? [NO_REQUEST] : []),
    ...(requests > 0 && parts.length === 0
      ? ['The sandbox refused nothing, and no webhook is undelivered.']
      : []),
    ...(omitted > 0 ? [`Left out: ${omitted} worlds.`] : []),
  ];
  const tables = parts.flatMap(({ title, about, findings }) => [
    `### ${title}`,
    '',
    row(['World', ...about, 'Status', 'Reason']),
    row(Array(5).fill('---')),
    ...findings.map(({ world, id, subject, result, reason }) =>
      row([world, id, subject, result, reason].map(cell)),
    ),
    '',
  ]);
  return ['## card-sandbox', '', sentences.join(' '), '', ...tables].join('\n');
}

/** Returns how many API requests the worlds received. */
export function requestCount(worlds: readonly Activity[]): number {
  return worlds.reduce((sum, { calls }) => sum + calls.filter(isRequest).length, 0);
}

function isRequest({ plane }: Call): boolean {
  return plane === 'partner';
}

function partsOf(worlds: readonly Activity[]): Part[] {
  const refused = worlds.flatMap(({ world, calls }) =>
    calls.filter(isRefused).map(call => ({ call, finding: callFinding(world, call) })),
  );
  const [requests, others] = [true, false].map(isOfApi =>
    refused.flatMap(({ call, finding }) => (isRequest(call) === isOfApi ? [finding] : [])),
  );
  const undelivered = undeliveredIn(worlds).map(({ world, delivery }) => deliveryFinding(world, delivery));
  return [
    ...part('Refused requests', ['Request', 'Call'], requests ?? []),
    ...part('Refused calls of the control plane', ['Entry', 'Call'], others ?? []),
    ...part('Undelivered webhooks', ['Event', 'Type'], undelivered),
  ];
}

/** Every attempt of the newest undelivered webhooks. */
function attemptPart(worlds: readonly Activity[]): Part[] {
  const findings = undeliveredIn(worlds)
    .slice(-MAX_LINES)
    .flatMap(({ world, delivery }) => attemptFindings(world, delivery));
  const title = 'Attempts of undelivered webhooks';
  return findings.length === 0 ? [] : [{ title, about: ['Event', 'Attempt'], findings }];
}

/** Returns a part with its newest findings, or none without any. */
function part(title: string, about: Part['about'], findings: readonly Finding[]): Part[] {
  const { length } = findings;
  if (length === 0) return [];
  const whole = length > MAX_LINES ? `${title} (the last ${MAX_LINES} of ${length})` : title;
  return [{ title: whole, about, findings: findings.slice(-MAX_LINES) }];
}

function undeliveredIn(worlds: readonly Activity[]) {
  return worlds.flatMap(({ world, deliveries }) =>
    deliveries.filter(isUndelivered).map(delivery => ({ world, delivery })),
  );
}

function callFinding(world: string, { id, method, path, status, reason, exchange }: Call): Finding {
  const query = redactQuery(exchange?.query ?? '');
  const subject = `${method} ${path}${query === '' ? '' : `?${query}`}`;
  return { world, id, subject, result: String(status), reason };
}

function attemptFindings(world: string, { id, attempts }: SentDelivery): Finding[] {
  return attempts.map(({ at, url, status, cause, durationMs, fault }) => ({
    world,
    id,
    subject: `${at} ${url ?? 'no URL'}`,
    result: String(status ?? 'none'),
    reason: `${cause ?? 'delivered'}; ${durationMs} ms${fault === null ? '' : `; fault ${fault}`}`,
  }));
}

function deliveryFinding(world: string, delivery: SentDelivery): Finding {
  const { id, eventType, status, cause, attemptCount, nextRetryAt } = delivery;
  const attempts = `${attemptCount} ${attemptCount === 1 ? 'attempt' : 'attempts'}`;
  const retry = nextRetryAt === null ? '' : `, next retry at ${nextRetryAt}`;
  return {
    world,
    id,
    subject: eventType,
    result: status,
    reason: `${cause ?? 'not sent yet'}; ${attempts}${retry}`,
  };
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Escapes a text, so that it stays one cell and shows no markup of its own. */
function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*[\]<>|&~]/g, mark => `\\${mark}`);
}
