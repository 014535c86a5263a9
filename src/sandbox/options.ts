import * as z from 'zod';
import { BuiltFixture, type LoadableFixture } from '../fixtures/define/built-fixture.ts';
import { DEFAULT_FIXTURE } from '../fixtures/file/source.ts';
import { type Names, NEUTRAL_NAMES, nameProblem } from '../kernel/request/names.ts';
import { describeIssue } from '../kernel/request/validation-messages.ts';
import { DURATION_RULE, parseDuration } from '../kernel/values/duration.ts';
import { suggestion } from '../kernel/values/nearest.ts';
import { END_OF_TIME, isoTime, parseTimestamp, TIMESTAMP_RULE } from '../kernel/values/timestamp.ts';
import { forwardProblem, MAPPING_RULE, parseMapping } from '../transport/destination.ts';

/** The seed that is used when none is given. */
export const DEFAULT_SEED = 42;
/** The largest seed that a number holds exactly. */
const LARGEST_SEED = Number.MAX_SAFE_INTEGER;

const ForwardUrl = z.string().superRefine((text, context) => {
  const message = forwardProblem(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const Fixture = z.custom<LoadableFixture>(
  value => typeof value === 'string' || value instanceof BuiltFixture,
  'must be the name of a built-in fixture, the path of a file, or what defineFixture returns',
);

const NameTexts = z
  .strictObject({ service: z.string(), idp1: z.string(), idp2: z.string() })
  .partial()
  .superRefine((names, context) => {
    const word = NEUTRAL_NAMES.find(each => nameProblem(each, names) !== null);
    if (word === undefined) return;
    context.addIssue({ code: 'custom', message: `must ${nameProblem(word, names)} (the name of ${word})` });
  });

const Options = z.strictObject({
  fixtures: z.array(Fixture).min(1).default([DEFAULT_FIXTURE]),
  seed: z.int().min(0).max(LARGEST_SEED).default(DEFAULT_SEED),
  clock: z
    .string()
    .refine(text => parseTimestamp(text) !== null, TIMESTAMP_RULE)
    .refine(text => (parseTimestamp(text) ?? 0) <= END_OF_TIME, `must not be after ${isoTime(END_OF_TIME)}`)
    .optional(),
  freeze: z.boolean().default(false),
  kycDelay: z
    .string()
    .refine(text => parseDuration(text) !== null, DURATION_RULE)
    .default('2s'),
  rateLimit: z.int().min(0).max(1_000_000).default(1_000),
  retrySpeed: z.number().gt(0, 'must be more than 0').default(60),
  allowHttpWebhooks: z.boolean().default(false),
  forwardTo: ForwardUrl.optional(),
  map: z.array(z.string().refine(text => parseMapping(text) !== null, MAPPING_RULE)).default([]),
  egress: z.enum(['private', 'any']).default('private'),
  webhookCa: z.string().min(1).optional(),
  insecureWebhookTls: z.boolean().default(false),
  documentedOnly: z.boolean().default(false),
  state: z.string().min(1).optional(),
  names: NameTexts.default({}),
});

/** What a sandbox can be told; everything has a default. */
export interface CoreOptions {
  /** Built-in names, paths of YAML or JSON files, or fixtures that code has built, merged in order. Default: `starter`. */
  readonly fixtures?: readonly LoadableFixture[] | undefined;
  /** Seeds every id, name and card number. Default: 42. */
  readonly seed?: number | undefined;
  /** Where the sandbox clock starts, ISO 8601. Default: wall time. */
  readonly clock?: string | undefined;
  /** Starts with a clock that moves only by advances. Default: false. */
  readonly freeze?: boolean | undefined;
  /** Sandbox time until the simulated provider decides a KYC submission. Default: `2s`. */
  readonly kycDelay?: string | undefined;
  /** Requests a minute and key; 0 is no limit. Default: 1,000. */
  readonly rateLimit?: number | undefined;
  /** How many times shorter than published the delays between webhook attempts are. Default: 60. */
  readonly retrySpeed?: number | undefined;
  /** Lets webhook configurations use http://. Default: false. */
  readonly allowHttpWebhooks?: boolean | undefined;
  /** Sends every webhook to this http(s) URL instead of the configured one. Default: nothing is forwarded. */
  readonly forwardTo?: string | undefined;
  /** `FROM=TO` pairs of URLs: a webhook to a URL below FROM goes to the same path below TO. The first that fits is used. */
  readonly map?: readonly string[] | undefined;
  /** Whether webhooks reach loopback and private addresses only, or any. Default: `private`. */
  readonly egress?: 'private' | 'any' | undefined;
  /** Path of a PEM file with certificates to trust when sending webhooks, besides the well-known ones. */
  readonly webhookCa?: string | undefined;
  /** Sends webhooks to receivers with any certificate. Default: false. */
  readonly insecureWebhookTls?: boolean | undefined;
  /** Answers assumed operations with 404. Default: false. */
  readonly documentedOnly?: boolean | undefined;
  /** File that keeps the world: loaded at the start, when it is there, and saved when asked to. Default: none. */
  readonly state?: string | undefined;
  /** What the neutral words of the interface are called below `/v1` and in webhooks. Default: they stay. */
  readonly names?: Names | undefined;
}

/** Options with every default filled in, as people write them. */
export type ResolvedOptions = z.output<typeof Options>;

/** An option that cannot be used. Its message names the option and the rule. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  /** The option's name in `SandboxOptions`. */
  readonly option: string;
  /** What the option has to be, such as `must be more than 0`. */
  readonly rule: string;

  constructor(option: string, rule: string) {
    super(`${option}: ${rule}`);
    this.option = option;
    this.rule = rule;
  }
}

/** Checks options and fills in the defaults. Throws an OptionError for the first that cannot be used. */
export function resolveOptions(options: CoreOptions): ResolvedOptions {
  const result = Options.safeParse(options, { error: describeIssue, jitless: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys;
    throw new OptionError(unknown, `is unknown${suggestion(unknown, Object.keys(Options.shape))}`);
  }
  throw new OptionError(String(issue?.path[0] ?? ''), issue?.message ?? 'cannot be used');
}
