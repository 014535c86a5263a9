import type { Server } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

const isEverywhere = (host: string) => host === '0.0.0.0' || host === '::';

/** Under which address a listening server is called from this machine, for example `http://127.0.0.1:4242`. */
export function originOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const name = isEverywhere(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}

/** The names under which others reach a sandbox that listens on this host, in lower case. */
export function ownNames(host: string): string[] {
  if (!isEverywhere(host)) return [host.toLowerCase()];
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return [hostname().toLowerCase(), ...addresses.map(({ address }) => address.toLowerCase())];
}
