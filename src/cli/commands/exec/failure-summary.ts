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
import { printable, shellWord } from '../../../core/values/text.ts';
import { listOf } from './coverage.ts';

export interface CommandResult {
  readonly name: string;
  readonly code: number;
  /** The worlds in which something happened, those in which something went wrong first. */
  readonly worlds: readonly Activity[];
  /** How many of their records are left out of the artifacts. */
  readonly omitted: number;
  /** Why something may be missing in the records. */
  readonly problems: readonly string[];
  /** The folder with the records, as the user named it; null without one, and for one without records. */
  readonly folder: string | null;
}

interface Finding {
  readonly world: string;
  readonly id: string;
  readonly subject: string;
  readonly result: string;
  readonly reasons: readonly string[];
}

interface Part {
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** Cap on the findings of each part of a summary; the newest are shown. */
const MAX_FINDINGS = 20;

/** Why nothing may have been recorded, and why only calls of the control plane. */
export const NOTHING_RECORDED =
  'Nothing was recorded: no request of the API reached the sandbox, or one in the process of the command. The command may not read SERVICE_BASE_URL or CARD_SANDBOX_URL, or may call another host, such as a sandbox that it starts, or with exec --on another world.';
export const NO_REQUEST_RECORDED =
  'No request of the API was recorded, only calls of the control plane. The app may not read SERVICE_BASE_URL, or may call another host.';

/** Where no request was recorded, that none was refused says nothing. Returns why there may be none, or null. */
export function nothingRecorded(worlds: readonly Activity[]): string | null {
  if (worlds.length === 0) return NOTHING_RECORDED;
  return requestCount(worlds) > 0 ? null : NO_REQUEST_RECORDED;
}

/** Returns what was refused and the undelivered webhooks as text, or null when all went well. */
export function summaryText({ worlds }: CommandResult): string | null {
  const lines = partsOf(worlds).flatMap(({ title, findings }) => [
    title,
    ...findings.flatMap(({ world, id, subject, result, reasons }) => {
      const place = worlds.length === 1 ? id : `${id} in ${world}`;
      return [`  ${result} ${subject} (${place})`, ...reasons.map(reason => `      ${reason}`)];
    }),
  ]);
  const cut = cutShort(worlds);
  if (cut !== null) lines.push(cut);
  return lines.length === 0 ? null : lines.join('\n');
}

function cutShort(worlds: readonly Activity[]): string | null {
  const names = worlds.filter(({ isCutShort }) => isCutShort).map(({ name }) => name);
  if (names.length === 0) return null;
  return `Cut short, because the process or thread was killed or could no longer write: ${listOf(names)}.`;
}

/** Returns the commands that play the records of a run, and open the first of them; none without a record. */
export function nextCommands({ worlds: [first], folder }: CommandResult): string[] {
  if (folder === null || first === undefined) return [];
  const command = `npx card-sandbox@${VERSION}`;
  const file = join(folder, first.name + RECORD_SUFFIX);
  return [`${command} run ${shellWord(folder)}`, `${command} open ${shellWord(file)}`];
}

/** Returns the same as a Markdown document, with the exit code of the command and what to do next. */
export function summaryMarkdown(run: CommandResult): string {
  const { worlds, name, code, omitted, problems } = run;
  const text = summaryText(run);
  const requests = requestCount(worlds);
  const webhooks = worlds.reduce((sum, { deliveries }) => sum + deliveries.length, 0);
  const sentences = [
    `${name} exited with code ${code}.`,
    `Requests: ${requests}, webhooks: ${webhooks}, worlds and sandboxes: ${worlds.length}.`,
    problems.length === 0 ? nothingRecorded(worlds) : null,
    requests > 0 && text === null && problems.length === 0
      ? 'The sandbox refused nothing, and no webhook is undelivered.'
      : null,
    omitted > 0 ? `${omitted} records are left out, in which nothing went wrong or which come later.` : null,
  ].filter(sentence => sentence !== null);
  const commands = nextCommands(run);
  const next = commands.length === 0 ? [] : ['```sh', ...commands, '```', ''];
  const missing =
    problems.length === 0 ? [] : ['Something may be missing:', ...problems.map(each => `  ${each}`)];
  // Indented lines are shown as they are.
  const findings = [...missing, ...(text?.split('\n') ?? [])].map(line => `    ${printable(line)}`);
  if (findings.length > 0) findings.push('');
  return ['## card-sandbox', '', sentences.join(' '), '', ...next, ...findings].join('\n');
}

function requestCount(worlds: readonly Activity[]): number {
  return worlds.reduce((sum, { requests }) => sum + requests, 0);
}

function partsOf(worlds: readonly Activity[]): Part[] {
  const findings = <Item>(
    select: (world: Activity) => readonly Item[],
    describe: (item: Item) => Omit<Finding, 'world'>,
  ) => worlds.flatMap(world => select(world).map(item => ({ world: world.name, ...describe(item) })));
  const refused = (isOfApi: boolean) =>
    findings(
      ({ calls, undone }) =>
        calls
          .filter(call => isRefused(call) && (call.plane === 'partner') === isOfApi)
          .map(entry => ({ entry, isUndone: undone.has(entry) })),
      callFinding,
    );
  return [
    ...part('Refused requests', refused(true)),
    ...part('Refused calls of the control plane', refused(false)),
    ...part(
      'Undelivered webhooks',
      findings(({ deliveries }) => deliveries.filter(isUndelivered), deliveryFinding),
    ),
    ...part(
      'Faults that never struck',
      findings(({ unstruck }) => unstruck, unstruckFinding),
    ),
  ];
}

function part(title: string, findings: readonly Finding[]): Part[] {
  const { length } = findings;
  if (length === 0) return [];
  const whole = length > MAX_FINDINGS ? `${title} (the last ${MAX_FINDINGS} of ${length})` : title;
  return [{ title: whole, findings: findings.slice(-MAX_FINDINGS) }];
}

interface RefusedCall {
  readonly entry: RecordEntry;
  readonly isUndone: boolean;
}

function callFinding({ entry, isUndone }: RefusedCall): Omit<Finding, 'world'> {
  const { id, requestId, status, dropped, summary, rule, fault } = entry;
  const reason = fault === undefined ? redactText(summary) : `fault ${fault}`;
  const by = fault !== undefined || rule === undefined ? '' : ` [${rule}]`;
  const result = dropped ? 'lost' : String(status ?? 'lost');
  const undone = isUndone ? ['undone by a rewind; another entry may have its id now'] : [];
  return { id: requestId ?? id, subject: subjectOf(entry), result, reasons: [reason + by, ...undone] };
}

function subjectOf({ method, path, query }: RecordEntry): string {
  const shown = query === '' ? '' : `?${redactQuery(query)}`;
  return `${redactText(method)} ${redactPath(path)}${shown}`;
}

function unstruckFinding({ id, entry }: Unstruck): Omit<Finding, 'world'> {
  const reasons = ['no request or webhook that it is for came after it was set, or another fault came first'];
  return { id, subject: redactText(entry.body ?? ''), result: 'not struck', reasons };
}

function deliveryFinding({ id, eventType, attempts }: SentDelivery): Omit<Finding, 'world'> {
  const tries = attempts.map(({ startedAt, url, status, cause, durationMs, fault }) => {
    const by = fault === null ? '' : `; fault ${fault}`;
    const place = url === null ? 'no URL' : redactText(url);
    return `${startedAt} ${place}: ${cause ?? status}; ${durationMs} ms${by}`;
  });
  const reasons = tries.length === 0 ? ['not sent'] : tries;
  return { id, subject: eventType, result: 'undelivered', reasons };
}
