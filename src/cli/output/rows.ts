import { colour, lineWidth, printable } from './print.ts';

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
