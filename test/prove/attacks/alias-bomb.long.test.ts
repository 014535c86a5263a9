import { expect, test } from 'vitest';
import { BASE, problemsIn } from '../../sandbox/fixtures/fixture-files.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';

const LEVELS = size(9, 20);
const WIDTH = size(2_000, 20_000);
/** Far above what one pass takes, far below what an expansion takes. */
const LIMIT_MS = size(10_000, 60_000);

const laughs = Array.from({ length: LEVELS }, (_, level) => {
  const inner = level === 0 ? '"lol"' : `*a${level - 1}`;
  return `a${level}: &a${level} [${Array(9).fill(inner).join(', ')}]`;
}).join('\n');
const list = Array(WIDTH).fill('1').join(', ');
const uses = (count: number) => Array(count).fill('*big').join(', ');

const BOMBS: readonly [what: string, text: string, problem: RegExp][] = [
  ['billion laughs', laughs, /aliases expand to more than 10000 values/],
  [
    'one long list, used often',
    `big: &big [${list}]\ncards: [${uses(WIDTH)}]`,
    /aliases expand to more than 10000 values/,
  ],
  [
    'a scalar, used often',
    `big: &big 1\ncards: [${uses(WIDTH * 10)}]`,
    /aliases expand to more than 10000 values/,
  ],
  [
    'many anchors',
    `cards: [${Array.from({ length: WIDTH }, (_, index) => `&x${index} 1`).join(', ')}]`,
    /more than 1000 anchors/,
  ],
  [
    'many names, the last one twice',
    `cards: {${Array.from({ length: WIDTH }, (_, index) => `n${index}: 1`).join(', ')}, n${WIDTH - 1}: 2}`,
    /duplicate key/,
  ],
];

test('alias bomb: aliases, anchors and names by the thousand are one problem with its line, in one pass', {
  timeout: PROOF_TIMEOUT_MS,
}, context => {
  for (const [what, text, problem] of BOMBS) {
    const startedAt = performance.now();
    const problems = problemsIn(BASE + text);
    expect([what, problems]).toEqual([what, [expect.stringMatching(problem)]]);
    expect([what, performance.now() - startedAt < LIMIT_MS]).toEqual([what, true]);
  }
  recordResult(context, `${BOMBS.length} bombs, ${LEVELS} levels of aliases, ${WIDTH} names`);
});
