import { colour, lineWidth, printable } from './print.ts';
import { cutTo, widthOf } from './width.ts';
import { wrapText, wrapWords } from './wrap.ts';

const NOTHING = '-';
const GAP = '  ';

/** A column of a table that is cut to the terminal keeps at least this width, or its own; the last one less. */
const MIN_COLUMN = 20;
const MIN_LAST_COLUMN = 8;
/** Where less room is left beside the labels of a record, its values stand below them. */
const MIN_VALUES = 24;
/** A list in a record with more rows is a table of its own. */
const MAX_NESTED_ROWS = 12;
const TIMESTAMP = /^\d{4}-(\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/;
/** What a cell of the column `status` shows of something that failed. */
const FAILED = /^(?:failed|declined|rejected|[45]\d\d)\s*$/;

/**
 * Formats a response body for people: a table with a line for each record of a list, name and value for a record, `done`
 * for an empty body. In a terminal the lines of a table are cut to its width. `columns` are those of a list, or of the long
 * lists in a record.
 */
export function show(value: unknown, columns?: readonly string[], width = lineWidth()): string {
  if (value === null || value === undefined) return 'done';
  if (Array.isArray(value)) return showList(value, columns, width);
  if (!isRecord(value)) return cell(value);
  const { data, total, page, limit } = value;
  if (!Array.isArray(data) || total === undefined) return showRecord(value, columns, width);
  return `${showList(data, columns, width)}\n${colour.dim(`${data.length} of ${total} (page ${page}, limit ${limit})`)}`;
}

function showList(items: readonly unknown[], columns: readonly string[] | undefined, width: number): string {
  if (items.length === 0) return 'none';
  const records = items.filter(isRecord);
  if (records.length < items.length) return items.map(cell).join('\n');
  const names = columns ?? scalarNames(records);
  const rows = [names.map(printable), ...records.map(record => names.map(name => cell(record[name])))];
  const whole = widthsOf(rows);
  const isWide = lengthOf(whole) > width;
  const shown = isWide ? rows.map(row => row.map(text => text.replace(TIMESTAMP, '$1 $2'))) : rows;
  const widths = isWide ? fitted(widthsOf(shown), width) : whole;
  const [title = '', ...lines] = shown.map((row, index) => lineOf(row, widths, index === 0 ? [] : names));
  const left = names.slice(widths.length);
  const more = left.length === 0 ? [] : wrapText(`--json also has ${left.map(printable).join(', ')}`, width);
  return [colour.dim(title), ...lines, ...more.map(line => colour.dim(line))].join('\n');
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, index) => Math.max(...rows.map(row => widthOf(row[index] ?? ''))));
}

function lengthOf(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
}

/** Returns the widths of the columns that fit, from the left. The first, by which a record is called, is never cut. */
function fitted(whole: readonly number[], width: number): number[] {
  const widths = whole.slice(0, 1);
  for (const own of whole.slice(1)) {
    const room = width - lengthOf(widths) - GAP.length;
    if (room < Math.min(own, MIN_LAST_COLUMN)) break;
    widths.push(Math.min(own, MIN_COLUMN, room));
    if (room < Math.min(own, MIN_COLUMN)) break;
  }
  for (const [index, own] of widths.entries()) {
    const room = Math.max(0, width - lengthOf(widths));
    widths[index] = Math.min(whole[index] ?? own, own + room);
  }
  return widths;
}

function lineOf(row: readonly string[], widths: readonly number[], names: readonly string[]): string {
  const cells = widths.map((width, index) => {
    const text = row[index] ?? '';
    const shown = cutTo(text, width);
    const cut = shown + ' '.repeat(width - widthOf(shown));
    return names[index] === 'status' && FAILED.test(cut) ? colour.red(cut) : cut;
  });
  return cells.join(GAP).trimEnd();
}

function scalarNames(records: readonly Record<string, unknown>[]): string[] {
  const names = new Set(records.flatMap(record => Object.keys(record)));
  return [...names].filter(name => records.every(record => !isNested(record[name])));
}

function showRecord(
  record: Record<string, unknown>,
  columns: readonly string[] | undefined,
  width: number,
): string {
  const entries = Object.entries(record);
  const tables = entries.filter(([, value]) => Array.isArray(value) && value.length > MAX_NESTED_ROWS);
  const rows = flatten(Object.fromEntries(entries.filter(each => !tables.includes(each))), '');
  const parts = [
    ...tables.map(([name, list]) => `${printable(name)}\n${showList(list as unknown[], columns, width)}`),
    ...(rows.length === 0 ? [] : [layOut(rows, width).join('\n')]),
  ];
  return parts.length === 0 ? 'done' : parts.join('\n\n');
}

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

/** A line of two columns: a label, and a value with its colour if it has one. */
export type Row = readonly [label: string, value: string, paint?: (text: string) => string];

/**
 * Formats rows in two columns. In a terminal, a value that does not fit continues in its column, JSON by its members; one
 * that cannot be broken, such as a URL, and all values of a narrow terminal stand below their labels.
 */
export function layOut(rows: readonly Row[], width = lineWidth()): string[] {
  const safe = rows.map(
    ([label, value, paint = (text: string) => text]) => [printable(label), printable(value), paint] as const,
  );
  const labels = Math.max(0, ...safe.map(([label]) => label.length)) + 2;
  const room = width - 2 - labels;
  return safe.flatMap(([label, value, paint]) => {
    const isWide = widthOf(value) > room;
    const lines = isWide ? linesOf(value, room) : [value];
    if (room >= MIN_VALUES && lines.every(line => widthOf(line) <= room)) {
      const place = ' '.repeat(2 + labels);
      return lines.map(
        (line, index) => (index === 0 ? `  ${colour.dim(label.padEnd(labels))}` : place) + paint(line),
      );
    }
    return [`  ${colour.dim(label)}`, ...linesOf(value, width - 4).map(line => `    ${paint(line)}`)];
  });
}

function linesOf(value: string, width: number): string[] {
  if (widthOf(value) <= width) return [value];
  if (/^[{[]/.test(value)) {
    try {
      return JSON.stringify(JSON.parse(value), null, 2).split('\n');
    } catch {
      // Text that only begins like JSON.
    }
  }
  return wrapWords(value, width);
}
