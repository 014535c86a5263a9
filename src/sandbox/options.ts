import type * as z from 'zod';
import type { Names } from '../core/values/names.ts';
import { suggestion } from '../core/values/nearest.ts';
import { describeIssue } from '../core/values/schemas/validation-messages.ts';
import type { Assume } from '../service/assumptions/assume.ts';
import type { LoadableFixture } from './fixtures/define/built-fixture.ts';
import { DEFAULTS } from './options/defaults.ts';
import { optionSchemas } from './options/schema.ts';

/** The seed of a sandbox unless the options name another. */
export const DEFAULT_SEED = DEFAULTS.seed;

/**
 * The options of a sandbox, all optional. It is written out because published declarations do not depend on zod;
 * `test/sandbox/options.test.ts` compiles only if it has the types of `optionSchemas`.
 */
export interface CoreOptions {
  /** Built-in names, paths of YAML or JSON files, or fixtures built in code, merged in order. Default: `starter`. */
  readonly fixtures?: readonly LoadableFixture[] | undefined;
  /** Seed of every id, name and card number. Default: 42. A server that is given one takes its secrets from it too. */
  readonly seed?: number | undefined;
  /** Start time of the sandbox clock, ISO 8601. Default: wall time. */
  readonly clock?: string | undefined;
  /** Starts with a frozen clock, which moves only when it is advanced. Default: false. */
  readonly freeze?: boolean | undefined;
  /** Sandbox time until the simulated provider decides a KYC submission. Default: `2s`. */
  readonly kycDelay?: string | undefined;
  /** Length of generated ids with their prefix, from 24 to 255. Default: 16 letters after the prefix. */
  readonly idLength?: number | undefined;
  /** Requests per minute and API key; 0 is unlimited. Default: 1,000. */
  readonly rateLimit?: number | undefined;
  /**
   * Factor by which the published delays between webhook attempts are shortened. Default: 1 for a clock that starts
   * frozen, otherwise 60.
   */
  readonly retrySpeed?: number | undefined;
  /** Accepts http:// URLs in webhook configurations. Default: false. */
  readonly allowHttpWebhooks?: boolean | undefined;
  /** Sends every webhook to this http(s) URL instead of the configured one. Default: webhooks are not forwarded. */
  readonly forwardTo?: string | undefined;
  /** `FROM=TO` pairs of URLs: webhooks for URLs below FROM go to the same path below TO. The first match applies. */
  readonly map?: readonly string[] | undefined;
  /** Whether webhooks can reach only loopback and private addresses, or any address. Default: `private`. */
  readonly egress?: 'private' | 'any' | undefined;
  /** Path of a PEM file with certificates to trust when sending webhooks, in addition to the well-known ones. */
  readonly webhookCa?: string | undefined;
  /** Accepts any certificate of a webhook receiver. Default: false. */
  readonly insecureWebhookTls?: boolean | undefined;
  /** Returns a 404 for operations that rest on an assumption. Default: false. */
  readonly documentedOnly?: boolean | undefined;
  /** Path of the state file: loaded at start if it exists, saved after changes and at the end. Default: none. */
  readonly state?: string | undefined;
  /** The number of worlds that there may be besides `main`. Default: 1,000. */
  readonly maxWorlds?: number | undefined;
  /** Wall time without a request after which a world ends, such as `1h`; `0` for never. `main` never ends. Default: `1h`. */
  readonly worldTtl?: string | undefined;
  /** Names that replace the neutral words of the interface below `/v1` and in webhooks. Default: none. */
  readonly names?: Names | undefined;
  /** What the sandbox assumes where the interface leaves room, by the ids of the assumptions. Default: see there. */
  readonly assume?: Assume | undefined;
  /** Path of a profile: a YAML file with `names` and `assume`, over which those of the options win. Default: none. */
  readonly profile?: string | undefined;
}

type OptionName = keyof typeof optionSchemas;
type Values = { readonly [Name in OptionName]: z.output<ReturnType<(typeof optionSchemas)[Name]>> };

/** What options are unless they are given. The others are not set. */
const INITIAL = {
  fixtures: [DEFAULTS.fixture],
  seed: DEFAULTS.seed,
  freeze: false,
  kycDelay: DEFAULTS.kycDelay,
  rateLimit: DEFAULTS.rateLimit,
  allowHttpWebhooks: false,
  map: [],
  egress: DEFAULTS.egress,
  insecureWebhookTls: false,
  documentedOnly: false,
  names: {},
  assume: {},
  maxWorlds: DEFAULTS.maxWorlds,
  worldTtl: DEFAULTS.worldTtl,
} as const satisfies Partial<Values>;

type SetName = keyof typeof INITIAL | 'retrySpeed';

/** Options with all defaults filled in. */
export type ResolvedOptions = Pick<Values, SetName> & {
  readonly [Name in Exclude<OptionName, SetName>]?: Values[Name] | undefined;
};

/** An invalid option. The message names the option and the rule. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  /** The name of the option in `SandboxOptions`. */
  readonly option: string;
  /** The rule that the option breaks, such as `must be more than 0`. */
  readonly rule: string;

  constructor(option: string, rule: string) {
    super(`${option}: ${rule}`);
    this.option = option;
    this.rule = rule;
  }
}

/** Validates options and fills in the defaults. Throws an OptionError for the first invalid option. */
export function resolveOptions(options: CoreOptions): ResolvedOptions {
  // Object.keys and Object.fromEntries do not keep the types of names and values.
  const names = Object.keys(optionSchemas) as readonly OptionName[];
  const given = Object.fromEntries(
    names.filter(name => options[name] !== undefined).map(name => [name, parse(name, options[name])]),
  ) as Partial<Values>;
  const unknown = Object.keys(options).find(name => !Object.hasOwn(optionSchemas, name));
  if (unknown !== undefined) throw new OptionError(unknown, `is unknown${suggestion(unknown, names)}`);
  const { freeze = false, retrySpeed = freeze ? DEFAULTS.frozenRetrySpeed : DEFAULTS.retrySpeed } = given;
  return { ...INITIAL, ...given, retrySpeed };
}

function parse(name: OptionName, value: unknown): unknown {
  const { data, error } = optionSchemas[name]().safeParse(value, { error: describeIssue, jitless: true });
  if (error === undefined) return data;
  throw new OptionError(name, error.issues[0]?.message ?? 'cannot be used');
}
