import { colour, lineWidth, printable } from './print.ts';

/** Shown for a missing or empty value. */
const NOTHING = '-';
/** Between the columns of a table. */
const GAP = '  ';

const plain = (text: string) => text;

/**
 * Formats a response body for people: a table for a list, name and value for a record, `done` for an empty body. A
 * table that is wider than the terminal becomes one block per record.
 */
export function show(value: unknown, columns?: readonly string[], width = lineWidth()): string {
  if (value === null || value === undefined) return 'done';
  if (Array.isArray(value)) return showList(value, columns, width);
  if (!isRecord(value)) return cell(value);
  const { data, total, page, limit } = value;
  if (!Array.isArray(data) || total === undefined) return showRecord(value, width);
  return `${showList(data, columns, width)}\n${colour.dim(`${data.length} of ${total} (page ${page}, limit ${limit})`)}`;
}

function showList(items: readonly unknown[], columns: readonly string[] | undefined, width: number): string {
  if (items.length === 0) return 'none';
  const records = items.filter(isRecord);
  if (records.length < items.length) return items.map(cell).join('\n');
  const names = columns ?? scalarNames(records);
  const titles = names.map(printable);
  const rows = records.map(record => names.map(name => cell(record[name])));
  const widths = titles.map((title, index) =>
    Math.max(title.length, ...rows.map(row => row[index]?.length ?? 0)),
  );
  const whole = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
  if (whole > width) {
    return records.map(record => showRecord(pick(record, names), width)).join('\n\n');
  }
  const line = (cells: readonly string[]) =>
    cells
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join(GAP)
      .trimEnd();
  return [colour.dim(line(titles)), ...rows.map(line)].join('\n');
}

/** Returns the names of all members whose values are neither records nor lists. */
function scalarNames(records: readonly Record<string, unknown>[]): string[] {
  const names = new Set(records.flatMap(record => Object.keys(record)));
  return [...names].filter(name => records.every(record => !isNested(record[name])));
}

function pick(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map(name => [name, record[name]]));
}

function showRecord(record: Record<string, unknown>, width: number): string {
  const rows = flatten(record, '');
  return rows.length === 0
    ? 'done'
    : layOut(
        rows.map(([name, value]) => [name, value, plain]),
        width,
      ).join('\n');
}

/** Returns name and value of each member, with dotted names for nested records. */
function flatten(record: Record<string, unknown>, prefix: string): [name: string, value: string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (isRecord(value) && Object.keys(value).length > 0) return flatten(value, `${prefix}${name}.`);
    if (!Array.isArray(value) || !value.some(isRecord)) return [[prefix + name, cell(value)]];
    return value.flatMap((item, index) =>
      isRecord(item)
        ? flatten(item, `${prefix}${name}[${index}].`)
        : [[`${prefix}${name}[${index}]`, cell(item)] as [string, string]],
    );
  });
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (Array.isArray(value)) return value.length === 0 ? NOTHING : value.map(cell).join(', ');
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNested(value: unknown): boolean {
  return isRecord(value) || (Array.isArray(value) && value.some(isRecord));
}

/** A line of two columns: a label, and a value with its colour. */
export type Row = readonly [label: string, value: string, paint: (text: string) => string];

/** Formats rows in two columns, or each value below its label when the terminal is too narrow. */
export function layOut(rows: readonly Row[], width = lineWidth()): string[] {
  const safe = rows.map(([label, value, paint]): Row => [printable(label), printable(value), paint]);
  const labels = Math.max(...safe.map(([label]) => label.length)) + 2;
  const values = Math.max(...safe.map(([, value]) => value.length));
  const gap = 2 + labels + values <= width ? null : '\n    ';
  return safe.map(
    ([label, value, paint]) =>
      `  ${colour.dim(gap === null ? label.padEnd(labels) : label)}${gap ?? ''}${paint(value)}`,
  );
}

/** Breaks a text into lines of at most `width` characters, between words where possible. */
export function wrapText(text: string, width: number): string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length <= room) {
      line += ` ${word}`;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (line.length > room) {
      lines.push(line.slice(0, room));
      line = line.slice(room);
    }
  }
  return [...lines, line];
}
