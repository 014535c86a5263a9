import { URL } from 'node:url';
import type { StoryPlayer } from '../control/own-server.ts';
import type { AccessGuard } from '../core/access/access-guard.ts';
import { hostName, isLoopbackName } from '../core/access/access-guard.ts';
import { isLoopback } from '../core/access/ip-ranges.ts';
import { type ApiRequest, header } from '../core/request/http.ts';
import type { NameTranslator } from '../core/values/names.ts';
import { parseUrl } from '../core/values/parse-url.ts';
import { shorten } from '../core/values/text.ts';
import { OptionError } from './options.ts';
import type { Mapping } from './transport/destination.ts';
import type { OwnAddress } from './transport/egress.ts';

/** The header of a webhook's signature, in lower case (interface section 6.2). */
const SIGNATURE_HEADER = 'x-service-signature';

export interface ServedAddress {
  /** For example `http://127.0.0.1:4242`. */
  readonly origin: string;
  /** The host it listens on, or null if it does not listen. Beyond loopback, the control plane needs the token. */
  readonly host: string | null;
  /** Other host names and addresses of the sandbox, in lower case, with the names of `--allow-host`. */
  readonly ownNames: readonly string[];
  readonly controlToken: string;
  /** Whether the control plane needs the token on loopback, too. Default: false. */
  readonly requireToken?: boolean | undefined;
  /** Loads what plays stories in the worlds of the sandbox. */
  readonly stories?: (() => Promise<StoryPlayer>) | undefined;
}

/** Whether a host to listen on is reached from this machine only. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host);
}

/** The address of a sandbox, which is known only once a surface serves it. */
export class SurfaceAddress {
  readonly #signatureHeaders: readonly string[];
  readonly #publicUrl: string | null;
  #served: ServedAddress | null = null;

  /** `publicUrl` is the origin under which clients reach the sandbox. Default: the one that a surface serves. */
  constructor(names: NameTranslator | null, publicUrl: string | null = null) {
    this.#publicUrl = publicUrl;
    this.#signatureHeaders = [SIGNATURE_HEADER, ...(names === null ? [] : [names.text(SIGNATURE_HEADER)])];
  }

  /** Sets the address. Returns whether the control plane needs the control token there. */
  set(served: ServedAddress): boolean {
    this.#served = served;
    return this.#needsToken;
  }

  get served(): ServedAddress | null {
    return this.#served;
  }

  /**
   * Returns the origin for links in the response to a request: the public URL, or else the one that was called, so that a
   * port that is mapped to another works. Its `Host` has passed the rule for hosts; one of HTTP/1.0 may have none.
   */
  linkOrigin(request: Pick<ApiRequest, 'headers'>): string {
    // A URL omits the default port.
    const called = `http://${(header(request, 'host') ?? '').toLowerCase().replace(/:80$/, '')}`;
    const isOrigin = this.#publicUrl === null && parseUrl(called)?.origin === called;
    return isOrigin ? called : this.origin;
  }

  get origin(): string {
    return this.#publicUrl ?? this.#served?.origin ?? 'http://127.0.0.1';
  }

  get listening(): OwnAddress | null {
    const { host = null, origin = '' } = this.#served ?? {};
    if (host === null) return null;
    // A URL omits the default port.
    return { host, port: Number(new URL(origin).port || 80) };
  }

  get accessGuard(): AccessGuard {
    const { ownNames = [], controlToken = null } = this.#served ?? {};
    const token = this.#needsToken ? controlToken : null;
    return {
      ownNames,
      token,
      publicUrl: this.#publicUrl,
      signatureHeaders: this.#signatureHeaders,
    };
  }

  get #needsToken(): boolean {
    const { host = null, requireToken = false } = this.#served ?? {};
    return host !== null && (requireToken || !isLoopbackHost(host));
  }
}

/** Returns why a request for a host is refused, or null when it is not. */
export type HostRule = (host: string) => string | null;

interface HostRuleOptions {
  readonly isLoopbackOnly: boolean;
  /** Names to answer, in lower case. Beyond loopback, an empty list allows every name. */
  readonly allowed: readonly string[];
  readonly ownNames: readonly string[];
  /** Returns the mappings in force. The hosts of `from` are answered. */
  readonly map: () => readonly Mapping[];
}

const NAME = /^[\w-]+(?:\.[\w-]+)*$/;
const IP_V6 = /^(?=.*:)[\da-f:.]+$/;

export const HOST_NAME_RULE =
  'must be a host name or an address without scheme, port and path, such as sandbox.internal';

/** Names as they are compared, in lower case. Throws an OptionError for what is neither a name nor an address. */
export function allowedNames(allowHost: readonly string[]): string[] {
  return allowHost.map(each => {
    const name = readHostName(each);
    if (name === null) throw new OptionError('allowHost', HOST_NAME_RULE);
    return name;
  });
}

/** Returns a host name or an address in lower case and without brackets, or null for any other text. */
export function readHostName(text: string): string | null {
  const name = text.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return NAME.test(name) || IP_V6.test(name) ? name : null;
}

/**
 * Creates the rule for `Host` headers. A page whose name resolves to this machine (DNS rebinding) is of the same origin
 * as the sandbox for its browser, and only the name distinguishes it.
 */
export function createHostRule({ isLoopbackOnly, allowed, ownNames, map }: HostRuleOptions): HostRule {
  if (!isLoopbackOnly && allowed.length === 0) return () => null;
  const known = new Set([...allowed, ...ownNames]);
  const isMapped = (name: string) => map().some(({ from }) => hostName(from.hostname) === name);
  return host => {
    const name = hostName(host);
    const isKnown = name !== '' && (known.has(name) || isLoopbackName(name) || isMapped(name));
    return isKnown ? null : foreign(host, name);
  };
}

function foreign(host: string, name: string): string {
  const shown = NAME.test(name) || IP_V6.test(name) ? shorten(name) : 'NAME';
  return `header Host: ${JSON.stringify(shorten(host))} is not a name of this sandbox; call it as localhost, or allow the name with --allow-host ${shown} (allowHost in startServer)`;
}
