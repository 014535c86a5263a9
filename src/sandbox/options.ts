import { sep } from 'node:path';
import * as z from 'zod';
import { isObject } from '../core/request/input.ts';
import { DURATION_PATTERN, DURATION_RULE, type Duration, isDuration } from '../core/values/duration.ts';
import { AMOUNT_PROBLEM, amountProblems } from '../core/values/money.ts';
import { type Names, NEUTRAL_NAMES, nameProblem } from '../core/values/names.ts';
import { once } from '../core/values/once.ts';
import { parseUrl } from '../core/values/parse-url.ts';
import { durationText } from '../core/values/schemas/duration-schema.ts';
import { describeIssue } from '../core/values/schemas/validation-messages.ts';
import { END_OF_TIME, isoTime, parseTimestamp, timestampRule } from '../core/values/timestamp.ts';
import type { Assume } from '../service/assumptions/assume.ts';
import { assumeProblems } from '../service/assumptions/settings.ts';
import { BuiltFixture, type LoadableFixture } from './fixtures/define/built-fixture.ts';
import { FixtureFile } from './fixtures/file/schema.ts';
import { DEFAULT_FIXTURE } from './fixtures/file/source.ts';
import { forwardProblem, MAPPING_RULE, parseMapping } from './transport/destination.ts';
import { EGRESS, type Egress } from './transport/egress.ts';

const MAX_RATE_LIMIT = 1_000_000;
/** Room for the longest prefix and 16 letters. */
const MIN_ID_LENGTH = 24;
const MAX_ID_LENGTH = 255;
const MAX_WORLDS = 1_000_000;
const MIN_RETRY_SPEED = 0.001;
const MAX_RETRY_SPEED = 1_000_000;
const RETRY_SPEED_RULE = `must be from ${MIN_RETRY_SPEED} to ${MAX_RETRY_SPEED}`;

/** The forms of a duration, and of one that may be 0, in JSON Schema. */
const DURATION_FORM = { pattern: DURATION_PATTERN.source };
export const TTL_RULE = 'must be a duration such as 30m or 1h, at most 100 years, or "0" for never';
export const TTL_FORM = { anyOf: [{ const: '0' }, { type: 'string', ...DURATION_FORM }] };

/** What options need of a zod schema, because published declarations do not depend on zod. */
interface Schema<T> {
  safeParse(
    value: unknown,
    context: object,
  ): {
    readonly data?: T | undefined;
    readonly error?: { readonly issues: readonly { message: string }[] } | undefined;
  };
}

/** One option of a sandbox, as an option in code and as a flag, which has the same name in kebab case. */
export interface Option<T, Initial> {
  /** Returns the schema. A function, because a start builds only the schemas of the options that are given. */
  readonly schema: () => Schema<T>;
  /** The value if none is given; undefined for none. */
  readonly initial: Initial;
  /** The value on a frozen clock if none is given, where it differs. */
  readonly initialIfFrozen?: T | undefined;
  /** For an option of a world: creates the zod schema of the member of `POST /_sandbox/worlds`, which is optional. `schema` checks more. */
  readonly member?: (() => unknown) | undefined;
  /** The description of the flag. */
  readonly flag: string;
  /** Placeholder of the value in the help; a flag without one takes no value. */
  readonly value?: string | undefined;
  /** The default as the help shows it, where it is not `initial`. */
  readonly defaultText?: string | undefined;
  /** How the text of the flag becomes the value of the option. Default: it is the value. */
  readonly parse?: 'wholeNumber' | 'decimalNumber' | 'list' | 'names' | 'pairs' | undefined;
  /** The values to choose from. */
  readonly choices?: readonly string[] | undefined;
}

function option<T, Initial extends T | undefined = undefined>(
  entry: Omit<Option<T, Initial>, 'initial'> & { readonly initial?: Initial },
): Option<T, Initial> {
  // A missing `initial` has the type undefined.
  return { ...entry, schema: once(entry.schema) } as Option<T, Initial>;
}

/**
 * Every option of a sandbox, in the order of the help. Options in code, flags, the members of a new world and the types
 * below derive from this table.
 */
export const OPTIONS = {
  /** Path of a configuration file with options, over which those given here win; `assume` and `names` are merged. Default: none. */
  config: option({
    schema: () => z.string().min(1),
    value: '<file>',
    flag: 'configuration file with these options, which flags override',
    defaultText: 'card-sandbox.config.yaml or .json in the working folder, if there is one',
  }),
  /** Built-in names, paths of YAML or JSON files, or fixtures built in code, merged in order. Default: `starter`. */
  fixtures: option({
    schema: () => z.array(fixture()).min(1).readonly(),
    initial: [DEFAULT_FIXTURE],
    member: () =>
      z
        .array(z.union([z.string(), z.record(z.string(), z.unknown()).superRefine(checkAmounts)]))
        .min(1)
        .max(100)
        .optional()
        .describe('Names of built-in fixtures, and objects with the content of fixture files.'),
    value: '<file...>',
    flag: 'seed data: built-in names or file paths, merged in order',
  }),
  /** Path of the state file of `main`: loaded if it exists, saved after changes and at the end. Default: none. */
  state: option({
    schema: () =>
      z
        .string()
        .min(1)
        .refine(path => !path.endsWith('/') && !path.endsWith(sep), 'must be a file, not a folder'),
    value: '<file>',
    flag: 'file in which main is kept: loaded if it exists, saved after changes and on exit',
    defaultText: 'state is kept in memory',
  }),
  /** Seed of every id, name and card number. Default: 42. A server that is given one takes its secrets from it too. */
  seed: option({
    schema: () => z.int().min(0),
    initial: 42,
    member: () => z.int().min(0).optional(),
    value: '<number>',
    flag: 'seed of every generated id, name and card number; if given, of secrets too',
    parse: 'wholeNumber',
  }),
  /** Start time of the sandbox clock, ISO 8601. Default: wall time. */
  clock: option({
    schema: () =>
      z
        .string()
        .refine(text => parseTimestamp(text) !== null, { error: ({ input }) => timestampRule(String(input)) })
        .refine(
          text => (parseTimestamp(text) ?? 0) <= END_OF_TIME,
          `must not be after ${isoTime(END_OF_TIME)}`,
        ),
    member: () => z.string().optional().describe('Initial time of the clock, ISO 8601.'),
    value: '<time>',
    flag: 'initial time of the sandbox clock',
    defaultText: 'now',
  }),
  /** Starts with a frozen clock, which moves only when it is advanced. Default: false. */
  freeze: option({
    schema: z.boolean,
    initial: false,
    member: () => z.boolean().optional(),
    flag: 'freeze the clock; it moves only when advanced',
    defaultText: 'it runs',
  }),
  /** Sandbox time until the simulated provider decides a KYC submission. Default: `2s`. */
  kycDelay: option<Duration, Duration>({
    schema: () => durationText().refine(isDuration, DURATION_RULE).meta(DURATION_FORM),
    initial: '2s',
    member: () => durationText().meta(DURATION_FORM).optional().describe('A duration, such as `2s`.'),
    value: '<duration>',
    flag: 'delay until the simulated provider decides a KYC submission',
  }),
  /** Length of generated ids with their prefix, from 24 to 255. Default: 16 letters after the prefix. */
  idLength: option({
    schema: () => z.int().min(MIN_ID_LENGTH).max(MAX_ID_LENGTH),
    member: () => z.int().optional().describe('Length of generated ids with their prefix, from 24 to 255.'),
    value: '<number>',
    flag: 'length of generated ids with their prefix, from 24 to 255',
    defaultText: '16 letters after the prefix',
    parse: 'wholeNumber',
  }),
  /** Requests per minute and API key; 0 is unlimited. Default: 1,000. */
  rateLimit: option({
    schema: () => z.int().min(0).max(MAX_RATE_LIMIT),
    initial: 1_000,
    member: () => z.int().optional(),
    value: '<number>',
    flag: 'requests per minute and API key; 0 disables the limit',
    parse: 'wholeNumber',
  }),
  /** Accepts http:// URLs in webhook configurations. Default: false. */
  allowHttpWebhooks: option({
    schema: z.boolean,
    initial: false,
    member: () => z.boolean().optional(),
    flag: 'accept http:// webhook URLs',
    defaultText: 'https:// only',
  }),
  /**
   * Factor by which the published delays between webhook attempts are shortened. Default: 1 for a clock that starts
   * frozen, otherwise 60.
   */
  retrySpeed: option({
    schema: () => z.number().min(MIN_RETRY_SPEED, RETRY_SPEED_RULE).max(MAX_RETRY_SPEED, RETRY_SPEED_RULE),
    // The first retry of a running clock follows after one second. On a frozen clock time costs nothing.
    initial: 60,
    initialIfFrozen: 1,
    member: () => z.number().optional(),
    value: '<number>',
    flag: 'how many times faster than the published schedule webhooks are retried',
    parse: 'decimalNumber',
  }),
  /** Sends every webhook to this http(s) URL instead of the configured one. Default: webhooks are not forwarded. */
  forwardTo: option({
    schema: () =>
      z.string().superRefine((text, context) => {
        const message = forwardProblem(text);
        if (message !== null) context.addIssue({ code: 'custom', message });
      }),
    member: () => z.string().optional(),
    value: '<url>',
    flag: 'send every webhook to this URL instead of the configured one',
  }),
  /** `FROM=TO` pairs of URLs: webhooks for URLs below FROM go to the same path below TO. The first match applies. */
  map: option({
    schema: () => z.array(z.string().refine(text => parseMapping(text) !== null, MAPPING_RULE)).readonly(),
    initial: [],
    value: '<from=to>',
    flag: 'send webhooks for URLs under FROM to the same path under TO; repeatable',
    parse: 'list',
  }),
  /** Whether webhooks can reach only loopback and private addresses, or any address. Default: `private`. */
  egress: option<Egress, Egress>({
    schema: () => z.enum(EGRESS),
    initial: 'private',
    value: '<reach>',
    flag: 'where webhooks may be sent: loopback and private addresses only, or any address',
    choices: EGRESS,
  }),
  /** Path of a PEM file with certificates to trust when sending webhooks, in addition to the well-known ones. */
  webhookCa: option({
    schema: () => z.string().min(1),
    value: '<file>',
    flag: 'PEM file of additional certificates to trust for webhooks',
  }),
  /** Accepts any certificate of a webhook receiver. Default: false. */
  insecureWebhookTls: option({
    schema: z.boolean,
    initial: false,
    flag: 'accept any TLS certificate of a webhook receiver',
    defaultText: 'verify it',
  }),
  /** Returns a 404 for operations that rest on an assumption. Default: false. */
  documentedOnly: option({
    schema: z.boolean,
    initial: false,
    flag: 'refuse operations that the interface does not document',
    defaultText: 'serve all operations',
  }),
  /** The number of worlds that there may be besides `main`. Default: 1,000. */
  maxWorlds: option({
    schema: () => z.int().min(0).max(MAX_WORLDS),
    initial: 1_000,
    value: '<number>',
    flag: 'how many worlds there may be besides main',
    parse: 'wholeNumber',
  }),
  /** Wall time without a request after which a world ends, such as `1h`; `0` for never. `main` never ends. Default: `1h`. */
  worldTtl: option<Duration | '0', Duration | '0'>({
    schema: () =>
      durationText(TTL_RULE)
        .refine(text => text === '0' || isDuration(text), TTL_RULE)
        .meta(TTL_FORM),
    initial: '1h',
    value: '<duration>',
    flag: 'end a world that nobody has called for this time; 0 for never',
  }),
  /** Names that replace the neutral words of the interface below `/v1` and in webhooks. Default: none. */
  names: option<Names, Names>({
    schema: () => neutralNames(),
    initial: {},
    value: '<pairs>',
    flag: 'names for the neutral words: service=acme,idp1=checkly,idp2=…',
    defaultText: 'unchanged',
    parse: 'names',
  }),
  /** What the sandbox assumes where the interface leaves room, by the ids of the assumptions. Default: see there. */
  assume: option<Assume, Assume>({
    schema: () =>
      z
        .custom<Assume>(isObject, "must be an object, for example { 'list-order': 'oldest' }")
        .superRefine((assume, context) => {
          for (const { rule } of assumeProblems({ ...assume }))
            context.addIssue({ code: 'custom', message: rule });
        })
        // The object is the caller's, who may change it for the next sandbox.
        .transform(assume => ({ ...assume })),
    initial: {},
    member: () =>
      z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .optional()
        .describe('Settings by name, as GET /_sandbox/assumptions lists them.'),
    value: '<name=value...>',
    flag: 'what to assume where the interface leaves room; repeatable (docs/fidelity.md lists the names)',
    defaultText: 'see there',
    parse: 'pairs',
  }),
  /**
   * The origin under which clients reach a server behind a proxy, such as `https://sandbox.corp.example`: links, `Host` and
   * `Origin` rules follow it. Default: the address that was called.
   */
  publicUrl: option({
    schema: () =>
      z.string().transform((text, context) => {
        const origin = originOf(text);
        if (origin !== null) return origin;
        context.addIssue({ code: 'custom', message: PUBLIC_URL_RULE });
        return z.NEVER;
      }),
    value: '<url>',
    flag: 'address under which clients reach the sandbox, behind a proxy for example',
    defaultText: 'the address that was called',
  }),
};

const PUBLIC_URL_RULE =
  'must be an http:// or https:// URL without path, query, fragment and user name, such as https://sandbox.corp.example';

/** The text of a body decides about its amounts, so that a member of it must know where it has some. */
function checkAmounts(fixture: object, context: z.RefinementCtx): void {
  for (const { path, message } of amountProblems(FixtureFile, fixture))
    context.addIssue({ code: 'custom', path, message, params: AMOUNT_PROBLEM });
}

/** Returns the origin that a URL consists of, in lower case, or null for any other text. */
function originOf(text: string): string | null {
  const url = parseUrl(text);
  if (url === null || !/^https?:\/\//i.test(text)) return null;
  return url.href === `${url.origin}/` && !/[?#]$/.test(text) ? url.origin : null;
}

function fixture() {
  return z.custom<LoadableFixture>(
    value => typeof value === 'string' || value instanceof BuiltFixture,
    'must be the name of a built-in fixture, the path of a file, the content of one, or the result of defineFixture',
  );
}

/** Creates the schema of the names that replace neutral words. */
export function neutralNames() {
  return z
    .strictObject({ service: z.string(), idp1: z.string(), idp2: z.string() })
    .partial()
    .superRefine((names, context) => {
      for (const word of NEUTRAL_NAMES) {
        const problem = nameProblem(word, names);
        if (problem !== null)
          context.addIssue({ code: 'custom', message: `must ${problem} (the name of ${word})` });
      }
    })
    .readonly();
}

type Table = typeof OPTIONS;
type Value<Entry> = Entry extends Option<infer T, unknown> ? T : never;

export type OptionName = keyof Table;

/** The options of a sandbox, all optional. */
export type CoreOptions = { readonly [Name in keyof Table]?: Value<Table[Name]> | undefined };

/** The options that have a value even if none is given. */
type InitialName = {
  [Name in OptionName]: Table[Name]['initial'] extends undefined ? never : Name;
}[OptionName];

/** Options with all defaults filled in. */
export type ResolvedOptions = { readonly [Name in InitialName]: Value<Table[Name]> } & {
  readonly [Name in Exclude<OptionName, InitialName>]?: Value<Table[Name]> | undefined;
};

// Object.keys does not keep the types of names.
const NAMES = Object.keys(OPTIONS) as readonly OptionName[];

/** The options that a world can have, in the order of the help. The others belong to its server. */
export const WORLD_OPTIONS: readonly OptionName[] = NAMES.filter(name => OPTIONS[name].member !== undefined);

/** The options that decide the future of a world. The others are about its start, or about where and how it is served. */
export const RECORDED_OPTIONS = [
  'seed',
  'kycDelay',
  'rateLimit',
  'retrySpeed',
  'idLength',
  'assume',
  'names',
  'documentedOnly',
  'allowHttpWebhooks',
  'forwardTo',
  'map',
  'publicUrl',
] as const satisfies readonly OptionName[];

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
  const values = Object.fromEntries(
    NAMES.map(name => [name, options[name] === undefined ? undefined : parse(name, options[name])]),
  );
  const resolved = NAMES.map(name => {
    const { initial, initialIfFrozen }: Option<unknown, unknown> = OPTIONS[name];
    return [name, values[name] ?? (values.freeze === true ? initialIfFrozen : undefined) ?? initial];
  });
  // Object.fromEntries does not keep the types of names and values.
  return Object.fromEntries(resolved.filter(([, value]) => value !== undefined)) as ResolvedOptions;
}

function parse(name: OptionName, value: unknown): unknown {
  const { data, error } = OPTIONS[name].schema().safeParse(value, { error: describeIssue, jitless: true });
  if (error === undefined) return data;
  throw new OptionError(name, error.issues[0]?.message ?? 'cannot be used');
}
