import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { here } from './processes.js';

/** A row whose rounds swing by more than this share of their median proves nothing, and is not a pass. */
const MAX_SWING = 0.2;
const HEADS = ['figure', 'target', 'verdict', 'measured'];

/** The verdict of a row: `met`, `missed`, `unsteady`, or none without a target. */
export function verdictOf({ met, swing = 0 }) {
  if (met === undefined) return '';
  if (!met) return 'missed';
  return swing > MAX_SWING ? 'unsteady' : 'met';
}

/** Returns a figure as a line for the terminal. */
export function line({ figure, target, ...measured }) {
  const goal = target === undefined ? '' : `  (target ${target})`;
  return `  ${verdictOf(measured).padEnd(8)} ${figure}: ${format(measured)}${goal}`;
}

/** The path of a result of this day with an extension. */
export function resultPath(extension) {
  return here(`results-${new Date().toISOString().slice(0, 10)}.${extension}`);
}

/** Writes the figures to the results of this day. With `keepOthers`, the rows of other figures stay. */
export function writeResults(rows, { keepOthers }) {
  const path = resultPath('md');
  const before = keepOthers && existsSync(path) ? rowsIn(readFileSync(path, 'utf8')) : [];
  const measured = rows.map(row => [row.figure, row.target ?? '', verdictOf(row), format(row)]);
  const byFigure = new Map([...before, ...measured].map(row => [row[0], row]));
  const lines = [HEADS, HEADS.map(() => '---'), ...byFigure.values()].map(
    cells => `| ${cells.join(' | ')} |`,
  );
  writeFileSync(path, `${introduction()}\n${lines.join('\n')}\n`);
}

function introduction() {
  const git = (...args) => execFileSync('git', args, { cwd: here('.'), encoding: 'utf8' }).trim();
  // What the bench itself has written is no change of what it measures.
  const changes = git('status', '--porcelain', ':/', ':(exclude)results-*');
  const changed = changes === '' ? '' : ', with changes that are not committed';
  const [{ model }] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `# Results of the bench

Written by \`npm run bench\` at commit ${git('rev-parse', '--short', 'HEAD')}${changed}, with Node.js ${process.versions.node} on
${process.platform}: ${cpus().length} cores (${model}), ${memory} GiB. Each figure is a ratio to a server that runs alternately with the
sandbox, unless it has a unit: the median of its rounds, then the range. \`node:http\` stands for a bare server with a \`Map\`.
A row is unsteady, and not a pass, when the middle half of its rounds extends over more than a fifth of the median.
`;
}

/** Returns the rows of the table in a text, without its head. */
function rowsIn(text) {
  const lines = text.split('\n').filter(each => each.startsWith('| '));
  return lines.slice(2).map(each => each.slice(2, -2).split(' | '));
}

function format({ median, least, most, unit, note }) {
  const digits = unit === 'bytes' ? 0 : 2;
  const [middle, low, high] = [median, least, most].map(each => each.toFixed(digits));
  const range = low === high ? '' : ` (${low} to ${high})`;
  const values = `${middle}${unit === undefined ? '' : ` ${unit}`}${range}`;
  return note === undefined ? values : `${values}; ${note}`;
}
