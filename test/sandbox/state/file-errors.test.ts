import { expect, test } from 'vitest';
import { explainFolderError } from '../../../src/sandbox/state/state-file-error.ts';

test.each([
  ['ENOTDIR', 'there is no folder /data; create it first'],
  ['EPERM', /^its folder \/data is not writable for this user, .*; change its permissions/],
  ['EROFS', /^its folder \/data is read-only, .* such as -v "\$PWD\/state:\/data"$/],
  ['ENOSPC', 'there is no space left in /data'],
  ['EMFILE', 'too many open files'],
])('the error %s of a state file is told in words', (code, message) => {
  const error = Object.assign(new Error('too many open files'), { code });
  expect(explainFolderError(error, '/data')).toMatch(message);
});
