import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRecordFolder } from '../../../src/sandbox/records/record-folder.ts';
import { temporaryRecords } from '../../support/record-folder.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { temporaryFolder } from '../fixtures/fixture-files.ts';

test('a finished record stays as it is, whatever its world does and when it ends', async () => {
  const { records, problems, file } = temporaryRecords();
  const { api, control, stop } = await startSandbox({}, { records });
  const read = () => readFileSync(file, 'utf8');
  await api('GET', '/partner/balance');
  records.finish();
  const finished = read();
  expect(finished.match(/^\{"(?:entry|end)":/gm)).toEqual(['{"entry":', '{"end":']);
  await api('GET', '/partner/balance');
  await control('POST', '/rewind', { steps: 1 });
  records.finish();
  stop();
  expect([read(), problems]).toEqual([finished, []]);
});

test('a record that cannot be written leaves a note that says why, so that its world is not taken for an unused one', async () => {
  const path = temporaryFolder();
  const problems: string[] = [];
  const failures = ['the state is too large'];
  const records = createRecordFolder(
    path,
    ({ id }) => {
      const failure = failures.pop();
      if (failure !== undefined) throw new Error(failure);
      return id;
    },
    problem => problems.push(problem),
  );
  const { api } = await startSandbox({}, { records });
  await api('GET', '/partner/balance');
  await api('GET', '/partner/balance');
  expect(problems).toEqual([
    expect.stringMatching(/world main cannot be written .*: the state is too large$/),
  ]);
  expect(readFileSync(join(path, 'main.record.jsonl'), 'utf8')).toBe(
    '{"unwritten":"the state is too large"}\n',
  );
});
