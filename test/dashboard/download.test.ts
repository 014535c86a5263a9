import { expect, test } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';
import { openPage, useBrowserGlobals } from './browser-globals.ts';

useBrowserGlobals();

test('a download that is refused fails, and its error is not saved as the file', async () => {
  await openPage(await startSandbox());
  const { download } = await import('../../src/dashboard/data/actions.ts');
  await expect(download('/history/export?from=req_none', 'from.record.jsonl')).rejects.toMatchObject({
    name: 'RequestError',
    status: 404,
    message: expect.stringMatching(/^no history entry with id "req_none"/),
  });
});
