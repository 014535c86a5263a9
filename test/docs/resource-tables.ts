import { operations } from '../../src/sandbox/operations.ts';
import { FORM_FIELDS } from '../../src/service/kyc/page.ts';
import { PROBLEM_PAGES } from '../../src/service/reveal/page.ts';
import { CHECKED_REASONS, FORCED_REASONS } from '../../src/service/transactions/decline-reasons.ts';
import { EVENT_MEANINGS, isRecordedType } from '../../src/service/webhooks/event-types.ts';
import { WEBHOOK_FAULT_EFFECTS } from '../../src/service/webhooks/fault-kinds.ts';
import { payloads } from '../../src/service/webhooks/payloads.ts';
import { VARIABLES } from '../../src/tools/calibrate/lab/lab.ts';
import { probes } from '../../src/tools/calibrate/probes/catalogue.ts';
import { catalogue } from '../../src/tools/exam/catalogue/catalogue.ts';
import type { Kind } from '../../src/tools/exam/misbehaviour.ts';
import { fieldTable, inputSchema } from './field-table.ts';
import { markdownTable } from './tables.ts';

/** The event types, with what they report and the schema of their data. */
export function eventTable(): string {
  const rows = Object.entries(EVENT_MEANINGS).map(([type, meaning]) => {
    // Object.entries does not keep the type of the keys.
    const schema = payloads[type as keyof typeof EVENT_MEANINGS].schema.meta()?.id;
    return [`\`${type}\``, `${meaning}.`, `\`${schema}\``, isRecordedType(type) ? 'yes' : 'no'];
  });
  return table(['Event type', 'When', '`data`', 'Listed by the API'], rows);
}

/** The kinds of webhook faults, with their effects. */
export function webhookFaultTable(): string {
  const rows = Object.entries(WEBHOOK_FAULT_EFFECTS).map(([kind, effect]) => [`\`${kind}\``, effect]);
  return table(['Kind', 'Effect'], rows);
}

/** The decline reasons that are checked, in order. */
export function checkedDeclineTable(): string {
  return declineTable(CHECKED_REASONS, 'Condition');
}

/** The decline reasons that are only forced. */
export function forcedDeclineTable(): string {
  return declineTable(FORCED_REASONS, 'Meaning');
}

function declineTable(reasons: Readonly<Record<string, string>>, heading: string): string {
  const rows = Object.entries(reasons).map(([reason, text]) => [`\`${reason}\``, text]);
  return table(['`declineReason`', heading], rows);
}

/** The pages of reveal links that show no card. */
export function revealProblemTable(): string {
  const rows = Object.entries(PROBLEM_PAGES).map(([problem, { status, heading, text }]) => [
    String(status),
    heading,
    text,
    `\`reveal-message-${problem}\``,
  ]);
  return table(['Status', 'Heading', 'Text', 'Class'], rows);
}

/** The fields of the form on the hosted KYC page. */
export function kycFormTable(): string {
  const rows = FORM_FIELDS.map(({ name, label, isRequired }) => [
    `\`${name}\``,
    label,
    isRequired === true ? 'to approve' : 'no',
  ]);
  return table(['Field', 'Label', 'Required'], rows);
}

/** The fields of a fault for the API. */
export function faultTable(): string {
  const arm = operations.find(({ id }) => id === 'faults.arm');
  if (arm === undefined) throw new Error('there is no operation faults.arm');
  return fieldTable(inputSchema(arm.body));
}

/** The misbehaviours of an exam of one kind. Those of a connection stand once for all operations. */
export function misbehaviourTable(kind: Kind): string {
  const rows = catalogue
    .filter(each => each.kind === kind)
    .map(({ id, why, sound }) => [`\`${id.replace(/\..*/, '.OPERATION')}\``, why, sound].join(' | '));
  return table(
    ['Id', 'Why it happens', 'What is sound'],
    [...new Set(rows)].map(row => [row]),
  );
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, headings.map(() => '---'), ...rows];
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

/** The probes of a calibration. */
export function probeTable(): string {
  const rows = probes.map(({ id, needs, takes, variables = [] }) => [
    `\`${id}\``,
    needs === 'read' ? 'reads' : 'writes',
    takes,
    variables.map(name => `\`${name}\``).join(', '),
  ]);
  return markdownTable(['Assumption', 'The probe', 'What it takes', 'Variables'], rows);
}

/** The variables of a calibration. */
export function variableTable(): string {
  const rows = Object.entries(VARIABLES).map(([name, meaning]) => [`\`${name}\``, meaning]);
  return markdownTable(['Variable', 'Meaning'], rows);
}
