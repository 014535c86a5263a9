import { isLoopback } from './ip-ranges.ts';

const BELOW_LOCALHOST = /^[\w.-]+\.localhost$/;

/** Returns the name in a `Host` header or in a URL, without port and brackets, in lower case. */
export function hostName(host: string): string {
  return host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}

/** Whether a name always means this machine: a loopback address, `localhost`, or a name below `localhost`. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || BELOW_LOCALHOST.test(name) || isLoopback(name);
}
