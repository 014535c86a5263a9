import { assumed, badRequest } from '../../core/operation/errors.ts';
import { shorten } from '../../core/values/text.ts';
import type { Forwarding, ForwardingChange } from '../../core/world/transport.ts';
import type { CoreOptions, ResolvedOptions } from '../options.ts';
import { forwardProblem, type Redirection, splitMapping, toMapping } from '../transport/destination.ts';

const RULE = assumed('forwarding');

/** The forwarding of a world. It lives beside the states of the world, so that nothing but a change replaces it. */
export class ForwardingSetting {
  #atStart: Forwarding;
  #current: Forwarding;
  #redirection: Redirection;

  constructor(options: ResolvedOptions) {
    this.#atStart = forwardingOf(options);
    this.#current = this.#atStart;
    this.#redirection = redirectionOf(this.#current);
  }

  get atStart(): Forwarding {
    return this.#atStart;
  }

  get current(): Forwarding {
    return this.#current;
  }

  get redirection(): Redirection {
    return this.#redirection;
  }

  get options(): CoreOptions {
    const { url, map, allowHttp } = this.#current;
    const pairs = Object.entries(map).map(([from, to]) => `${from}=${to}`);
    return { forwardTo: url ?? undefined, map: pairs, allowHttpWebhooks: allowHttp };
  }

  /** Forwards nothing, as if it had started so. */
  dropStart(): void {
    this.#atStart = { ...this.#atStart, url: null, map: {} };
    this.change({});
  }

  /** Omitted members are as at the start. Throws a 400, and changes nothing, for an invalid URL. */
  change({ url, map, allowHttp }: ForwardingChange): void {
    const { url: urlAtStart, map: mapAtStart, allowHttp: allowHttpAtStart } = this.#atStart;
    const next = {
      url: url === undefined ? urlAtStart : url,
      map: map ?? mapAtStart,
      allowHttp: allowHttp ?? allowHttpAtStart,
    };
    const problem = next.url === null ? null : forwardProblem(next.url);
    if (problem !== null) {
      throw badRequest(
        RULE,
        `body.url: ${problem}, such as http://127.0.0.1:3000/webhooks; null forwards nothing`,
      );
    }
    this.#redirection = redirectionOf(next);
    this.#current = next;
  }
}

/** The forwarding that options say. */
export function forwardingOf({ forwardTo, map, allowHttpWebhooks }: ResolvedOptions): Forwarding {
  return { url: forwardTo ?? null, map: toRecord(map), allowHttp: allowHttpWebhooks };
}

function redirectionOf({ url, map }: Forwarding): Redirection {
  return {
    forwardTo: url,
    map: Object.entries(map).map(([from, to]) => {
      const mapping = toMapping(from, to);
      if (mapping !== null) return mapping;
      throw badRequest(
        RULE,
        `body.map[${JSON.stringify(shorten(from))}]: must map one http:// or https:// URL to another, without user name, query or fragment, such as {"https://hooks.partner.test": "http://127.0.0.1:3000"}`,
      );
    }),
  };
}

/** Returns the mappings of the option `map` by their left side. The first of several with the same left side applies. */
function toRecord(pairs: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (const [from, to] of pairs.map(splitMapping)) record[from] ??= to;
  return record;
}
