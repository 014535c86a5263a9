import { sep } from 'node:path';
import type { Client } from '../../../client/client.ts';
import type { ControlRefusal, JournalEntry, WebhookDelivery } from '../../../client/generated/records.ts';
import { createControlCall } from '../../../client/operation-calls.ts';
import { VERSION } from '../../../core/operation/version.ts';
import { quoteForShell } from '../../../core/values/text.ts';

/** What happened in a sandbox while a command used it. */
export interface Activity {
  /** Oldest first. */
  readonly requests: readonly JournalEntry[];
  /** Calls of the control plane that were refused, oldest first. */
  readonly refusals: readonly ControlRefusal[];
  /** Oldest first. */
  readonly deliveries: readonly WebhookDelivery[];
}

/** How a command ended, and what it did in its sandbox. */
export interface CommandResult {
  /** The name of the command. */
  readonly name: string;
  readonly code: number;
  readonly activity: Activity;
  /** The folder of its artifacts; null when there is none. */
  readonly artifacts: string | null;
}

/** One line of a summary. */
interface Finding {
  readonly id: string;
  readonly subject: string;
  readonly result: string;
  readonly reason: string;
}

/** Cap on the lines of each part of a summary; the newest are shown. */
const MAX_LINES = 20;

/** Reads the requests of the journal, the refusals of the control plane and all webhook deliveries. */
export async function readActivity(client: Client): Promise<Activity> {
  const call = createControlCall(client);
  // All lists are newest first.
  const requests = await call('requests.list');
  const refusals = await call('history.refusals');
  const deliveries = await call('deliveries.list');
  return {
    requests: requests.toReversed(),
    refusals: refusals.toReversed(),
    deliveries: deliveries.toReversed(),
  };
}

/** Returns what was refused and the undelivered webhooks as text; null when there are none. */
export function summaryText(activity: Activity): string | null {
  const lines = parts(activity).flatMap(({ title, findings }) => [
    title,
    ...findings.map(({ id, subject, result, reason }) => `  ${result} ${subject} (${id})\n      ${reason}`),
  ]);
  return lines.length === 0 ? null : lines.join('\n');
}

/** Returns the same as a Markdown document, with the exit code of the command. */
export function summaryMarkdown({ activity, name, code, artifacts }: CommandResult): string {
  const { requests, deliveries } = activity;
  const attempts = deliveries.filter(isUndelivered).slice(-MAX_LINES).flatMap(attemptFindings);
  const columns = ['Event', 'Attempt', 'Status', 'Reason'];
  const all = [
    ...parts(activity),
    { title: 'Attempts of undelivered webhooks', columns, findings: attempts },
  ];
  const tables = all.flatMap(({ title, columns, findings }) =>
    findings.length === 0
      ? []
      : [
          `### ${title}`,
          '',
          row(columns),
          row(columns.map(() => '---')),
          ...findings.map(({ id, subject, result, reason }) => row([id, subject, result, reason].map(cell))),
          '',
        ],
  );
  const counts = `Requests: ${requests.length}, webhooks: ${deliveries.length}.`;
  const none = 'The sandbox refused nothing, and every webhook is delivered.';
  return [
    '## card-sandbox',
    '',
    `${cell(name)} exited with code ${code}. ${counts}${tables.length === 0 ? ` ${none}` : ''}`,
    '',
    ...tables,
    ...(artifacts === null ? [] : repetition(artifacts)),
  ].join('\n');
}

/** How the requests are sent again, on this machine or another. */
function repetition(artifacts: string): string[] {
  const folder = artifacts.replaceAll(sep, '/');
  const text =
    'Plays the history on a sandbox of its own. On another machine, pass the path of this folder there.';
  return [
    '### Play it again',
    '',
    text,
    '',
    '```sh',
    `npx card-sandbox@${VERSION} run ${wordForAnyShell(folder)}`,
    '```',
    '',
  ];
}

/** Quotes a word for sh, PowerShell and cmd.exe, or for sh alone when they have no quotes in common. */
function wordForAnyShell(word: string): string {
  if (/^[\w@+=:,./-]+$/.test(word)) return word;
  return /["$`%!\\]/.test(word) ? quoteForShell(word) : `"${word}"`;
}

function parts({ requests, refusals, deliveries }: Activity) {
  const refused = requests.filter(({ status }) => status >= 400);
  const undelivered = deliveries.filter(isUndelivered);
  return [
    {
      title: titleOf('Refused requests', refused.length),
      columns: ['Request', 'Call', 'Status', 'Reason'],
      findings: refused.slice(-MAX_LINES).map(requestFinding),
    },
    {
      title: titleOf('Refused calls of the control plane', refusals.length),
      columns: ['Time', 'Call', 'Status', 'Reason'],
      findings: refusals.slice(-MAX_LINES).map(refusalFinding),
    },
    {
      title: titleOf('Undelivered webhooks', undelivered.length),
      columns: ['Event', 'Type', 'Status', 'Reason'],
      findings: undelivered.slice(-MAX_LINES).map(deliveryFinding),
    },
  ].filter(({ findings }) => findings.length > 0);
}

function titleOf(words: string, count: number): string {
  return count > MAX_LINES ? `${words} (the last ${MAX_LINES} of ${count})` : words;
}

function requestFinding({ id, method, path, query, status, refusal, rule, fault }: JournalEntry): Finding {
  const source = rule?.fidelity === 'assumed' ? `assumption ${rule.id}` : `interface ${rule?.section}`;
  const reason = refusal === null ? 'no reason recorded' : `${refusal}${rule === null ? '' : ` [${source}]`}`;
  return {
    id,
    subject: `${method} ${path}${query === '' ? '' : `?${query}`}`,
    result: String(status),
    reason: fault === null ? reason : `fault ${fault}`,
  };
}

function refusalFinding({ at, method, path, status, reason }: ControlRefusal): Finding {
  return { id: at, subject: `${method} ${path}`, result: String(status), reason };
}

function isUndelivered({ status }: WebhookDelivery): boolean {
  return status !== 'delivered';
}

function attemptFindings({ id, attempts }: WebhookDelivery): Finding[] {
  return attempts.map(({ at, url, status, cause, durationMs, fault }) => ({
    id,
    subject: `${at} ${url ?? 'no URL'}`,
    result: String(status ?? 'none'),
    reason: `${cause ?? 'delivered'}; ${durationMs} ms${fault === null ? '' : `; fault ${fault}`}`,
  }));
}

function deliveryFinding(delivery: WebhookDelivery): Finding {
  const { id, eventType, status, cause, attemptCount, nextRetryAt } = delivery;
  const attempts = `${attemptCount} ${attemptCount === 1 ? 'attempt' : 'attempts'}`;
  const retry = nextRetryAt === null ? '' : `, next retry at ${nextRetryAt}`;
  return {
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
