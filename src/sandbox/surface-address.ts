import type { FenceOptions } from '../core/access/fence.ts';
import { isLoopback } from '../core/access/ip-ranges.ts';
import type { NameTranslator } from '../core/values/names.ts';
import type { StoryPlayer } from '../core/world/world.ts';

/** The header of a webhook's signature, in lower case (interface section 6.2). */
const SIGNATURE_HEADER = 'x-service-signature';

/** Where a surface serves a sandbox. */
export interface ServedAddress {
  /** For example `http://127.0.0.1:4242`. */
  readonly origin: string;
  /** The host it listens on, or null if it does not listen. Beyond loopback, the control plane needs the token. */
  readonly host: string | null;
  /** Other host names and addresses of the sandbox, in lower case, with those of `--allow-host`. */
  readonly ownNames: readonly string[];
  readonly controlToken: string;
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
  #served: ServedAddress | null = null;

  constructor(names: NameTranslator | null) {
    this.#signatureHeaders = [SIGNATURE_HEADER, ...(names === null ? [] : [names.text(SIGNATURE_HEADER)])];
  }

  /** Sets the address. Returns whether the control plane needs the control token there. */
  set(served: ServedAddress): boolean {
    this.#served = served;
    return this.#needsToken;
  }

  /** The address, or null while no surface serves the sandbox. */
  get served(): ServedAddress | null {
    return this.#served;
  }

  /** The origin for links. */
  get origin(): string {
    return this.#served?.origin ?? 'http://127.0.0.1';
  }

  /** What the control plane accepts at this address. */
  get fence(): FenceOptions {
    const { ownNames = [], controlToken = null } = this.#served ?? {};
    const token = this.#needsToken ? controlToken : null;
    return {
      ownNames,
      token,
      isSecure: this.origin.startsWith('https:'),
      signatureHeaders: this.#signatureHeaders,
    };
  }

  get #needsToken(): boolean {
    const { host = null } = this.#served ?? {};
    return host !== null && !isLoopbackHost(host);
  }
}
