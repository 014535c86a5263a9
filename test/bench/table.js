import { readFileSync, writeFileSync } from 'node:fs';
import { here } from './processes.js';

const DOCUMENT = here('../../docs/performance.md');
const [BEGIN, END] = ['<!-- figures -->', '<!-- end of figures -->'];

/** A row of the table as a line for the terminal. */
export function line({ figure, target, met, ...measured }) {
  const verdict = met === undefined ? '      ' : met ? 'met   ' : 'MISSED';
  const goal = target === undefined ? '' : `  (target ${target})`;
  const note = measured.note === undefined ? '' : `, ${measured.note}`;
  return `  ${verdict} ${figure}: ${format(measured)}${note}${goal}`;
}

/** Replaces the figures in the document. */
export function writeDocument(rows, { rounds }) {
  const text = readFileSync(DOCUMENT, 'utf8');
  const before = text.slice(0, text.indexOf(BEGIN) + BEGIN.length);
  const after = text.slice(text.indexOf(END));
  const own = rows.filter(({ isComparison }) => !isComparison);
  const others = rows.filter(({ isComparison }) => isComparison);
  const parts = [
    `Node.js ${process.versions.node} on ${process.platform}. Each value is the median of ${rounds} rounds, followed by the range.`,
    table(
      ['figure', 'target', 'measured', ''],
      own.map(({ figure, target, met, note, ...measured }) => [
        figure,
        target,
        format(measured) + (note === undefined ? '' : `; ${note}`),
        met ? 'met' : '**missed**',
      ]),
    ),
    'The other servers in the same run, requests/s over bare `node:http`:',
    table(
      ['server', 'measured'],
      others.map(({ figure, ...measured }) => [figure, format(measured)]),
    ),
  ];
  writeFileSync(DOCUMENT, `${before}\n\n${parts.join('\n\n')}\n\n${after}`);
}

function table(heads, rows) {
  const lines = [heads, heads.map(() => '---'), ...rows];
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

function format({ median, least, most, unit }) {
  const digits = unit === 'bytes' ? 0 : 2;
  const [middle, low, high] = [median, least, most].map(each => each.toFixed(digits));
  return `${middle}${unit === undefined ? '' : ` ${unit}`} (${low} to ${high})`;
}
