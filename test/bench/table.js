import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { here } from './processes.js';

const RESULTS = here('results.md');
const INTRODUCTION = `# Results of the bench

Written by \`npm run bench\`. Each figure is a ratio to a server that runs alternately with the sandbox, unless it has a
unit: the median of its rounds, followed by the range. \`node:http\` stands for a bare server with a \`Map\`.
`;
const HEADS = ['figure', 'target', 'measured'];

/** Returns a figure as a line for the terminal. */
export function line({ figure, target, met, ...measured }) {
  const verdict = met === undefined ? '      ' : met ? 'met   ' : 'MISSED';
  const goal = target === undefined ? '' : `  (target ${target})`;
  return `  ${verdict} ${figure}: ${format(measured)}${goal}`;
}

/** Writes the figures to `results.md`. With `keepOthers`, the rows of other figures stay. */
export function writeResults(rows, { keepOthers }) {
  const before = keepOthers && existsSync(RESULTS) ? rowsIn(readFileSync(RESULTS, 'utf8')) : [];
  const measured = rows.map(({ figure, target = '', ...each }) => [figure, target, format(each)]);
  const byFigure = new Map([...before, ...measured].map(row => [row[0], row]));
  const lines = [HEADS, HEADS.map(() => '---'), ...byFigure.values()].map(
    cells => `| ${cells.join(' | ')} |`,
  );
  const machine = `Node.js ${process.versions.node} on ${process.platform}.`;
  writeFileSync(RESULTS, `${INTRODUCTION}\n${machine}\n\n${lines.join('\n')}\n`);
}

/** Returns the rows of the table in a text, without its head. */
function rowsIn(text) {
  const lines = text.split('\n').filter(each => each.startsWith('| '));
  return lines.slice(2).map(each => each.slice(2, -2).split(' | '));
}

function format({ median, least, most, unit, note }) {
  const digits = unit === 'bytes' ? 0 : 2;
  const [middle, low, high] = [median, least, most].map(each => each.toFixed(digits));
  const values = `${middle}${unit === undefined ? '' : ` ${unit}`} (${low} to ${high})`;
  return note === undefined ? values : `${values}; ${note}`;
}
