import { expect, test } from 'vitest';
import { readEvidence, writeEvidence } from '../../../src/tools/evidence/evidence-file.ts';
import type { Json } from '../../support/sandbox.ts';
import { exampleEvidence } from './example-evidence.ts';

/** The error about a file of evidence in which something was changed. */
function problemOf(change: (content: Json) => unknown): string {
  const content: Json = exampleEvidence();
  change(content);
  try {
    readEvidence(writeEvidence(content));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'none';
}

test('evidence is read as it is written: indented JSON with a line break at the end', () => {
  const evidence = exampleEvidence();
  const text = writeEvidence(evidence);
  expect(text).toMatch(/^\{\n {2}"cardSandbox": "1\.2\.3",\n[\s\S]*\n\}\n$/);
  expect(readEvidence(text)).toEqual(evidence);
});

test('a file in another format is refused, since other readers may take another value of a repeated member', () => {
  const text = writeEvidence(exampleEvidence());
  const problem = 'is not formatted as evidence writes it, each member once';
  expect(() => readEvidence(text.trimEnd())).toThrow(problem);
  expect(() => readEvidence(text.replace('{', '{\n  "seed": 7,'))).toThrow(problem);
});

test.each<[what: string, change: (content: Json) => unknown, problem: string]>([
  [
    'an unknown member',
    content => Object.assign(content, { note: 1 }),
    'note: is a member that evidence does not write',
  ],
  [
    'unknown members of a member',
    content => Object.assign(content.exam.summary, { note: 1, other: 2 }),
    'exam.summary.note.other: is a member that evidence does not write',
  ],
  [
    'the path of a folder as the id of a result',
    content => {
      content.exam.results[1].id = '../x';
    },
    'exam.results.1.id: must be the id of a misbehaviour',
  ],
  [
    'an id that begins with a digit',
    content => {
      content.exam.results[0].id = '1x';
    },
    'exam.results.0.id: must be the id of a misbehaviour',
  ],
  [
    'an id that goes on after a space',
    content => {
      content.exam.results[0].id = 'x y';
    },
    'exam.results.0.id: must be the id of a misbehaviour',
  ],
  [
    'another package as its version',
    content => {
      content.cardSandbox = 'npm:other@1.0.0';
    },
    'cardSandbox: must be a version of card-sandbox',
  ],
  [
    'a command after its version',
    content => {
      content.cardSandbox = '1.0.0; id';
    },
    'cardSandbox: must be a version of card-sandbox',
  ],
])('evidence with %s is refused with the name of the member', (_, change, problem) => {
  expect(problemOf(change)).toBe(problem);
});

test.each(['condition.count', 'baseline', 'kind', 'verdict', 'fidelity', 'seed'])(
  'evidence with an impossible %s is refused',
  what => {
    const changes: Record<string, (content: Json) => unknown> = {
      'condition.count': content => {
        content.conditions[0].count = -1;
      },
      baseline: content => {
        content.exam.baseline = 'skipped';
      },
      kind: content => {
        content.exam.results[0].kind = 'odd';
      },
      verdict: content => {
        content.exam.results[0].verdict = 'lucky';
      },
      fidelity: content => {
        content.conditions[0].fidelity = 'guessed';
      },
      seed: content => {
        content.seed = 1.5;
      },
    };
    expect(problemOf(changes[what] ?? (() => undefined))).toMatch(/^[\w.]+: Invalid|^[\w.]+: Too small/);
  },
);

test.each(['10.20.30', '1.0.0-rc.0', '1.0.0-beta_1.x'])('%s is a version', version => {
  expect(problemOf(content => Object.assign(content, { cardSandbox: version }))).toBe('none');
});

test.each(['v1.0.0', '1.0', '1.0.0-', '1.0.0-a b'])('%s is not a version', version => {
  expect(problemOf(content => Object.assign(content, { cardSandbox: version }))).toBe(
    'cardSandbox: must be a version of card-sandbox',
  );
});
