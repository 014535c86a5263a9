import { readFileSync, writeFileSync } from 'node:fs';
import { here } from './processes.js';

const DOCUMENT = here('../../docs/performance.md');
const [BEGIN, END] = ['<!-- figures -->', '<!-- end of figures -->'];

/** One line of the table, for people at a terminal. */
export function line({ figure, target, met, ...measured }) {
  const verdict = met === undefined ? '      ' : met ? 'met   ' : 'MISSED';
  const aim = target === undefined ? '' : `  (target ${target})`;
  const note = measured.note === undefined ? '' : `, ${measured.note}`;
  return `  ${verdict} ${figure}: ${shown(measured)}${note}${aim}`;
}

/** Puts the figures in the place of those that stood in the document. */
export function writeDocument(rows, { rounds }) {
  const text = readFileSync(DOCUMENT, 'utf8');
  const before = text.slice(0, text.indexOf(BEGIN) + BEGIN.length);
  const after = text.slice(text.indexOf(END));
  const own = rows.filter(({ isComparison }) => !isComparison);
  const others = rows.filter(({ isComparison }) => isComparison);
  const parts = [
    `Node ${process.versions.node} on ${process.platform}, medians of ${rounds} rounds, from the least to the greatest in brackets.`,
    table(
      ['figure', 'target', 'measured', ''],
      own.map(({ figure, target, met, note, ...measured }) => [
        figure,
        target,
        shown(measured) + (note === undefined ? '' : `; ${note}`),
        met ? 'met' : '**missed**',
      ]),
    ),
    'The others, in the same run:',
    table(
      ['server', 'measured'],
      others.map(({ figure, ...measured }) => [figure, shown(measured)]),
    ),
  ];
  writeFileSync(DOCUMENT, `${before}\n\n${parts.join('\n\n')}\n\n${after}`);
}

function table(heads, rows) {
  const lines = [heads, heads.map(() => '---'), ...rows];
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

function shown({ median, least, most, unit }) {
  const digits = unit === 'bytes' ? 0 : 2;
  const [middle, low, high] = [median, least, most].map(each => each.toFixed(digits));
  return `${middle}${unit === undefined ? '' : ` ${unit}`} (${low} to ${high})`;
}
