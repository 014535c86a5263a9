import { errorCode } from '../../core/values/is-error.ts';
import { messageOf } from '../../core/values/read-thrown.ts';

/** A state file that cannot be used. The message says what to do about it. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError';
  readonly option = 'state';
}

/** Explains why no file can be created in a folder, which a save does. */
export function explainFolderError(error: unknown, folder: string): string {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `there is no folder ${folder}; create it first`;
    case 'EROFS':
      return `its folder ${folder} is read-only, so that no save can replace the file; mount the folder so that it can be written, such as -v "$PWD/state:${folder}"`;
    case 'EACCES':
    case 'EPERM':
      return `its folder ${folder} is not writable for this user, so that no save can replace the file; change its permissions, or name a file elsewhere`;
    case 'ENOSPC':
      return `there is no space left in ${folder}`;
    default:
      return messageOf(error);
  }
}
