import { parseUrl } from './parse-url.ts';

/** A host to listen on, or the rule that a text breaks that names none. */
type ListenHost = { readonly host: string } | { readonly rule: string };

/** Reads a host to listen on: a name or an address, with the brackets of an IPv6 address or without them. */
export function readListenHost(text: string): ListenHost {
  const [, address = text, port] = /^(\[[\da-f:.]+\]|[^:/]*)(?::(\d+))?$/i.exec(text) ?? [];
  if (port !== undefined) {
    return { rule: `must be a name or an address alone; pass the port with --port ${port}` };
  }
  if (text === '' || text.includes('/')) {
    return { rule: 'must be a name or an address, for example 127.0.0.1' };
  }
  const host = address.replace(/^\[(.*)\]$/, '$1');
  // As a URL writes it: `LOCALHOST`, `127.1` and `0:0:0:0:0:0:0:1` are names of loopback, too.
  const shown = parseUrl(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname ?? host;
  return { host: shown.replace(/^\[(.*)\]$/, '$1') };
}
