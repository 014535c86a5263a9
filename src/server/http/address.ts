import type { Server } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

const isUnspecified = (host: string) => host === '0.0.0.0' || host === '::';

/**
 * The origin at which this machine reaches a listening server, for example `http://127.0.0.1:4242`. Throws for a server
 * that does not listen on a port.
 */
export function originOf(server: Server, host: string, scheme: 'http' | 'https'): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
}

/** The names and addresses at which others reach a server that listens on a host, in lower case. */
export function ownNames(host: string): string[] {
  if (!isUnspecified(host)) return [host.toLowerCase()];
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return [hostname().toLowerCase(), ...addresses.map(({ address }) => address.toLowerCase())];
}
