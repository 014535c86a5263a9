import { isError } from '../../core/values/is-error.ts';
/** A state file that cannot be used. The message says what to do about it. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError';
}

export function explainFileError(error: unknown, path: string): string {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `there is no folder ${path}; create it first`;
    case 'EACCES':
    case 'EPERM':
      return `${path} is not readable and writable; change its permissions`;
    case 'EROFS':
      return `${path} is on a read-only file system; name a file elsewhere`;
    case 'EISDIR':
      return 'is a folder; name a file in it';
    case 'ENOSPC':
      return `there is no space left in ${path}`;
    default:
      return isError(error) ? error.message : String(error);
  }
}

/** Returns the code of a system error, such as `ENOENT`, or an empty string. */
export function errorCode(error: unknown): string {
  return isError(error) && 'code' in error ? String(error.code) : '';
}
