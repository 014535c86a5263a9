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

/** Writes the figures to the document. After a run of some figures, the rows of the others stay. */
export function writeDocument(rows, { rounds, isComplete }) {
  const text = readFileSync(DOCUMENT, 'utf8');
  const before = text.slice(0, text.indexOf(BEGIN) + BEGIN.length);
  const after = text.slice(text.indexOf(END));
  const [oldFigures, oldServers] = isComplete ? [[], []] : tablesIn(text.slice(before.length, -after.length));
  const own = rows.filter(({ isComparison }) => !isComparison);
  const others = rows.filter(({ isComparison }) => isComparison);
  const figures = own.map(({ figure, target, met, note, ...measured }) => [
    figure,
    target,
    format(measured) + (note === undefined ? '' : `; ${note}`),
    met ? 'met' : '**missed**',
  ]);
  const servers = others.map(({ figure, ...measured }) => [figure, format(measured)]);
  const parts = [
    `Node.js ${process.versions.node} on ${process.platform}. Each value is the median of ${rounds} rounds, followed by the range.`,
    table(['figure', 'target', 'measured', ''], merged(oldFigures, figures)),
    'The other servers in the same run, requests/s over bare `node:http`:',
    table(['server', 'measured'], merged(oldServers, servers)),
  ];
  writeFileSync(DOCUMENT, `${before}\n\n${parts.join('\n\n')}\n\n${after}`);
}

function table(heads, rows) {
  const lines = [heads, heads.map(() => '---'), ...rows];
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

/** The rows of each table in a text, without heads. */
function tablesIn(text) {
  const blocks = text.split('\n\n').map(block => block.split('\n').filter(row => row.startsWith('| ')));
  const tables = blocks.filter(lines => lines.length > 0);
  return tables.map(([, , ...lines]) => lines.map(row => row.slice(2, -2).split(' | ')));
}

/** The old rows, each replaced by the new one of the same name, and then the rows that are new. */
function merged(old, rows) {
  const byName = new Map([...old, ...rows].map(row => [row[0], row]));
  return [...byName.values()];
}

function format({ median, least, most, unit }) {
  const digits = unit === 'bytes' ? 0 : 2;
  const [middle, low, high] = [median, least, most].map(each => each.toFixed(digits));
  return `${middle}${unit === undefined ? '' : ` ${unit}`} (${low} to ${high})`;
}
