/** The audience of an operation: partners below `/v1`, or the tests and people that control the sandbox, below `/_sandbox`. */
export type Plane = 'partner' | 'control';

/** Prefix of the API's paths: the version segment at the end of `{base_url}` (interface section 9). */
export const API_PREFIX = '/v1';
export const CONTROL_PREFIX = '/_sandbox';
/** A header of each response of the control plane, by which clients tell it from another server on the port. */
export const CONTROL_HEADER = 'Card-Sandbox';

/** Whether a path is the prefix itself or below it. */
export function isBelow(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
}

/** The plane of a path, or null when the path belongs to none. */
export function planeOf(path: string): Plane | null {
  if (isBelow(path, API_PREFIX)) return 'partner';
  return isBelow(path, CONTROL_PREFIX) ? 'control' : null;
}

/** The version of the simulated interface (interface section 9). */
export const INTERFACE_VERSION = '1.0.0';
