import type { FenceOptions } from '../kernel/access/fence.ts';
import { isLoopback } from '../kernel/access/ip-ranges.ts';

/** Where a surface serves a sandbox. */
export interface ServedAddress {
  /** For example `http://127.0.0.1:4242`. */
  readonly origin: string;
  /** The host it listens on, or null if it does not listen. Beyond loopback, the control plane needs the token. */
  readonly host: string | null;
  /** Other host names and addresses of the sandbox, in lower case. */
  readonly ownNames: readonly string[];
  readonly controlToken: string;
}

/** The address of a sandbox, which is known only once a surface serves it. */
export class SurfaceAddress {
  #served: ServedAddress | null = null;

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
    return { ownNames, token: this.#needsToken ? controlToken : null };
  }

  get #needsToken(): boolean {
    const { host = null } = this.#served ?? {};
    return host !== null && host !== 'localhost' && !isLoopback(host);
  }
}
