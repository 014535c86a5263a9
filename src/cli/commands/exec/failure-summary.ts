import { join } from 'node:path';
import {
  type Activity,
  isRefused,
  isUndelivered,
  type SentDelivery,
  type Unstruck,
} from '../../../control/history/record/activity.ts';
import type { RecordEntry } from '../../../control/history/record/format.ts';
import { RECORD_SUFFIX } from '../../../control/history/record/limits.ts';
import { VERSION } from '../../../core/operation/version.ts';
import { redactPath, redactQuery, redactText } from '../../../core/redaction/redact.ts';
import { shellWord } from '../../../core/values/text.ts';
import { listOf } from './coverage.ts';

/** How a command ended, and what it did in its sandbox. */
export interface CommandResult {
  readonly name: string;
  readonly code: number;
  /** The worlds in which something happened, those in which something went wrong first. */
  readonly worlds: readonly Activity[];
  /** How many of their records are left out of the artifacts. */
  readonly omitted: number;
  /** The folder with the artifacts, as the user named it; null without one. */
  readonly folder: string | null;
}

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

/** Why nothing may have been recorded, and why only calls of the control plane. */
export const NOTHING_RECORDED =
  'Nothing was recorded: no request reached the sandbox, or one in the process of the command. The command may not read SERVICE_BASE_URL or CARD_SANDBOX_URL, or may call another host.';
export const NO_REQUEST_RECORDED =
  'No request of the API was recorded, only calls of the control plane. The app may not read SERVICE_BASE_URL, or may call another host.';

/** Where no request was recorded, that none was refused says nothing. Returns why there may be none, or null. */
export function nothingRecorded(worlds: readonly Activity[]): string | null {
  if (worlds.length === 0) return NOTHING_RECORDED;
  return requestCount(worlds) > 0 ? null : NO_REQUEST_RECORDED;
}

/** Returns what was refused and the undelivered webhooks as text; null when there are none. */
export function summaryText({ worlds }: CommandResult): string | null {
  const lines = partsOf(worlds).flatMap(({ title, findings }) => [
    title,
    ...findings.map(({ world, id, subject, result, reason }) => {
      const place = worlds.length === 1 ? id : `${id} in ${world}`;
      return `  ${result} ${subject} (${place})\n      ${reason}`;
    }),
  ]);
  const cut = cutShort(worlds);
  if (cut !== null) lines.push(cut);
  return lines.length === 0 ? null : lines.join('\n');
}

/** Says which records were cut short; null where none was. */
function cutShort(worlds: readonly Activity[]): string | null {
  const names = worlds.filter(({ isCutShort }) => isCutShort).map(({ name }) => name);
  if (names.length === 0) return null;
  return `Cut short, because the process or thread was killed: ${listOf(names)}.`;
}

/** Returns the commands that play the records of a run, and open the first of them; none without a record. */
export function nextCommands({ worlds: [first], folder }: CommandResult): string[] {
  if (folder === null || first === undefined) return [];
  const command = `npx card-sandbox@${VERSION}`;
  const file = join(folder, first.name + RECORD_SUFFIX);
  return [`${command} run ${shellWord(folder)}`, `${command} open ${shellWord(file)}`];
}

/** Returns the same as a Markdown document, with the exit code of the command. */
export function summaryMarkdown(run: CommandResult): string {
  const { worlds, name, code, omitted } = run;
  const parts = [...partsOf(worlds), ...attemptPart(worlds)];
  const requests = requestCount(worlds);
  const webhooks = worlds.reduce((sum, { deliveries }) => sum + deliveries.length, 0);
  const sentences = [
    `${cell(name)} exited with code ${code}.`,
    `Requests: ${requests}, webhooks: ${webhooks}, worlds and sandboxes: ${worlds.length}.`,
    nothingRecorded(worlds),
    requests > 0 && parts.length === 0 ? 'The sandbox refused nothing, and no webhook is undelivered.' : null,
    cutShort(worlds),
    omitted > 0 ? `${omitted} records are left out, in which nothing went wrong or which come later.` : null,
  ].filter(sentence => sentence !== null);
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
  const commands = nextCommands(run);
  const next = commands.length === 0 ? [] : ['```sh', ...commands, '```', ''];
  return ['## card-sandbox', '', sentences.join(' '), '', ...next, ...tables].join('\n');
}

function requestCount(worlds: readonly Activity[]): number {
  return worlds.reduce((sum, { calls }) => sum + calls.filter(isRequest).length, 0);
}

function isRequest({ plane }: RecordEntry): boolean {
  return plane === 'partner';
}

function partsOf(worlds: readonly Activity[]): Part[] {
  const refused = worlds.flatMap(({ name, calls }) =>
    calls.filter(isRefused).map(call => ({ call, finding: callFinding(name, call) })),
  );
  const [requests, others] = [true, false].map(isOfApi =>
    refused.flatMap(({ call, finding }) => (isRequest(call) === isOfApi ? [finding] : [])),
  );
  const undelivered = undeliveredIn(worlds).map(({ world, delivery }) => deliveryFinding(world, delivery));
  const unstruck = worlds.flatMap(({ name, unstruck }) => unstruck.map(each => unstruckFinding(name, each)));
  return [
    ...part('Refused requests', ['Request', 'Call'], requests ?? []),
    ...part('Refused calls of the control plane', ['Entry', 'Call'], others ?? []),
    ...part('Undelivered webhooks', ['Event', 'Type'], undelivered),
    ...part('Faults that never struck', ['Fault', 'Call'], unstruck),
  ];
}

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
  return worlds.flatMap(({ name, deliveries }) =>
    deliveries.filter(isUndelivered).map(delivery => ({ world: name, delivery })),
  );
}

function callFinding(world: string, entry: RecordEntry): Finding {
  const { id, requestId, status, dropped, summary, rule, fault } = entry;
  const reason = fault === undefined ? redactText(summary) : `fault ${fault}`;
  const by = fault !== undefined || rule === undefined ? '' : ` [${rule}]`;
  const result = dropped ? 'lost' : String(status ?? 'lost');
  return { world, id: requestId ?? id, subject: subjectOf(entry), result, reason: reason + by };
}

function subjectOf({ method, path, query }: RecordEntry): string {
  const shown = query === '' ? '' : `?${redactQuery(query)}`;
  return `${redactText(method)} ${redactPath(path)}${shown}`;
}

function unstruckFinding(world: string, { id, entry }: Unstruck): Finding {
  return {
    world,
    id,
    subject: redactText(entry.body ?? ''),
    result: 'not struck',
    reason: 'no request or webhook that it is for came after it was set',
  };
}

function attemptFindings(world: string, { id, attempts }: SentDelivery): Finding[] {
  return attempts.map(({ startedAt, url, status, cause, durationMs, fault }) => ({
    world,
    id,
    subject: `${startedAt} ${url === null ? 'no URL' : redactText(url)}`,
    result: String(status ?? 'none'),
    reason: `${cause ?? 'delivered'}; ${durationMs} ms${fault === null ? '' : `; fault ${fault}`}`,
  }));
}

function deliveryFinding(world: string, { id, eventType, attempts }: SentDelivery): Finding {
  const count = `${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`;
  return {
    world,
    id,
    subject: eventType,
    result: 'undelivered',
    reason: `${attempts.at(-1)?.cause ?? 'not sent'}; ${count}`,
  };
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Escapes a text, so that it stays one cell and shows no markup of its own. */
function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*[\]<>|&~]/g, mark => `\\${mark}`);
}
