import { operations } from '../../sandbox/operations.ts';
import { PROBLEM_PAGES } from '../../service/reveal/page.ts';
import { CHECKED_REASONS, FORCED_REASONS } from '../../service/transactions/decline-reasons.ts';
import { EVENT_MEANINGS, isRecordedType } from '../../service/webhooks/event-types.ts';
import { WEBHOOK_FAULT_EFFECTS } from '../../service/webhooks/fault-kinds.ts';
import { payloads } from '../../service/webhooks/payloads.ts';
import { fieldTable, inputSchema } from './field-table.ts';
import { markdownTable } from './markdown.ts';

/** The event types, with what they report and the schema of their data. */
export function eventTable(): string {
  const rows = Object.entries(EVENT_MEANINGS).map(([type, meaning]) => {
    // Object.entries does not keep the type of the keys.
    const schema = payloads[type as keyof typeof EVENT_MEANINGS].schema.meta()?.id;
    return [
      `\`${type}\``,
      `${meaning}.`,
      `[${schema}](#${schema?.toLowerCase()})`,
      isRecordedType(type) ? 'yes' : 'no',
    ];
  });
  return markdownTable(['Event type', 'When', '`data`', 'Listed by the API'], rows);
}

export function webhookFaultTable(): string {
  const rows = Object.entries(WEBHOOK_FAULT_EFFECTS).map(([kind, effect]) => [`\`${kind}\``, effect]);
  return markdownTable(['Kind', 'Effect'], rows);
}

export function checkedDeclineTable(): string {
  return declineTable(CHECKED_REASONS, 'Condition');
}

export function forcedDeclineTable(): string {
  return declineTable(FORCED_REASONS, 'Meaning');
}

function declineTable(reasons: Readonly<Record<string, string>>, heading: string): string {
  const rows = Object.entries(reasons).map(([reason, text]) => [`\`${reason}\``, text]);
  return markdownTable(['`declineReason`', heading], rows);
}

export function revealProblemTable(): string {
  const rows = Object.entries(PROBLEM_PAGES).map(([problem, { status, heading, text }]) => [
    String(status),
    heading,
    text,
    `\`reveal-message-${problem}\``,
  ]);
  return markdownTable(['Status', 'Heading', 'Text', 'Class'], rows);
}

export function faultTable(): string {
  const arm = operations.find(({ id }) => id === 'faults.arm');
  if (arm === undefined) throw new Error('there is no operation faults.arm');
  return fieldTable(inputSchema(arm.body));
}
