import { expect, test } from 'vitest';
import { runInProcess } from '../../support/cli-in-process.ts';

const WRONG: [words: string[], message: RegExp][] = [
  [['clock', 'advance', '1h', '--duration', '2h'], /--duration is set as well/],
  [
    ['share-tokens', 'add', '--outcme', 'reject'],
    /^error: unknown option '--outcme'\n\(Did you mean --outcome\?\)/,
  ],
  [
    ['share-tokens', 'add', '--outcome', 'aprove'],
    /Allowed choices are approve, reject, manual\. Did you mean "approve"\?/,
  ],
  [['share-tokens', 'add', '--body', '[]'], /--body must be a JSON object/],
  [
    ['share-tokens', 'add', '--body', '{"outcome": "reject", "outcome": "approve"}'],
    /^error: --body has the key "outcome" twice in one object; keep one/,
  ],
  [['simulate', 'authorize', 'card_mia_active', '30.000'], /It must have at most two decimals\./],
  [['events', 'wait', 'card.isued'], /Did you mean "card\.issued"\?/],
  [['events', 'wait', '--timeout', '3x'], /It must be a duration/],
  [['clock', 'advance', '90'], /^error: '90' is not a valid duration\. It must be a duration such as /],
  [
    ['clock', 'freeze', '--at', 'noon'],
    /^error: option '--at <text>' argument 'noon' is invalid\. It must be an ISO 8601 timestamp/,
  ],
  [['requests', 'list', '--status', '9'], /It must be an HTTP status such as 409/],
  [['faults', 'add', '--event-type', 'card.issued'], /requires --kind/],
  [['trigger', 'card.issued', '--data', 'x'], /It must have the form name=value/],
  [['simulate', 'kyc', 'ch_x', '--outcome', 'maybe'], /Allowed choices are approve, reject/],
];

test.each(WRONG)('%j is wrong usage', async (words, message) => {
  const { code, stderr } = await runInProcess(words);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
