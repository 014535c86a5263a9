import { expect, test } from 'vitest';
import { explainFileError, StateFileError } from '../../../src/sandbox/state/state-file-error.ts';

test.each([
  ['ENOENT', 'there is no folder /data; create it first'],
  ['ENOTDIR', 'there is no folder /data; create it first'],
  ['EACCES', '/data is not readable and writable; change its permissions'],
  ['EPERM', '/data is not readable and writable; change its permissions'],
  ['EROFS', '/data is on a read-only file system; name a file elsewhere'],
  ['EISDIR', 'is a folder; name a file in it'],
  ['ENOSPC', 'there is no space left in /data'],
  ['EMFILE', 'too many open files'],
])('the error %s of a state file is told in words', (code, message) => {
  expect(explainFileError(Object.assign(new Error('too many open files'), { code }), '/data')).toBe(message);
});

test('what is thrown without a code is told as it is', () => {
  expect(explainFileError(new Error('broken'), '/data')).toBe('broken');
  expect(explainFileError('broken', '/data')).toBe('broken');
});

test('the error for a state file is told from others by its name', () => {
  expect(String(new StateFileError('--state world.json: is damaged'))).toBe(
    'StateFileError: --state world.json: is damaged',
  );
});
