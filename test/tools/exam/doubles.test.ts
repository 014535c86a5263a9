import { expect, test } from 'vitest';
import { type CreatedRecord, compareRuns } from '../../../src/tools/exam/doubles.ts';

/** A card of one cardholder, which all requests say again. */
const card = (id: string, members: Partial<CreatedRecord> = {}): CreatedRecord => ({
  kind: 'card',
  id,
  call: `req_${id}`,
  by: null,
  scope: 'main',
  owner: 'ch_1',
  ownerName: 'Mia',
  content: { cardProgramId: 'prog_a' },
  shape: 'card',
  isUndone: false,
  ...members,
});

test('a double consists of the records that remain, not of one that the app has undone', () => {
  const records = [card('undone', { by: 'drop', isUndone: true }), card('second'), card('third')];
  const { doubles, remarks } = compareRuns([card('only')], records);
  expect(doubles).toMatchObject([
    { records: ['second', 'third'], calls: ['req_second', 'req_third'], by: null },
  ]);
  expect(remarks).toEqual([]);
});

test('a double of which the app has undone one record is a remark that names both', () => {
  const records = [card('lost', { by: 'drop', isUndone: true }), card('second')];
  expect(compareRuns([card('only')], records)).toEqual({
    doubles: [],
    remarks: [
      {
        text: '2 cards of Mia: req_lost created lost, and req_second created second; one was cancelled by the end',
        by: 'drop',
      },
    ],
  });
});
