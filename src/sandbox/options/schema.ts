import * as z from 'zod';
import { isObject } from '../../core/request/input.ts';
import { DURATION_RULE, parseDuration } from '../../core/values/duration.ts';
import { NEUTRAL_NAMES, nameProblem } from '../../core/values/names.ts';
import { END_OF_TIME, isoTime, parseTimestamp, TIMESTAMP_RULE } from '../../core/values/timestamp.ts';
import type { Assume } from '../../service/assumptions/assume.ts';
import { assumeProblem } from '../../service/assumptions/settings.ts';
import { BuiltFixture, type LoadableFixture } from '../fixtures/define/built-fixture.ts';
import { forwardProblem, MAPPING_RULE, parseMapping } from '../transport/destination.ts';
import { EGRESS } from '../transport/egress.ts';
import { IDLE_TIME_RULE, isIdleTime } from './idle-time.ts';

const MAX_RATE_LIMIT = 1_000_000;
/** Room for the longest prefix and 16 letters. */
const MIN_ID_LENGTH = 24;
const MAX_ID_LENGTH = 255;
const MAX_WORLDS = 1_000_000;

const fixture = () =>
  z.custom<LoadableFixture>(
    value => typeof value === 'string' || value instanceof BuiltFixture,
    'must be the name of a built-in fixture, the path of a file, or the result of defineFixture',
  );

const forwardUrl = () =>
  z.string().superRefine((text, context) => {
    const message = forwardProblem(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

const namedValues = () =>
  z
    .custom<Assume>(isObject, "must be an object, for example { 'list-order': 'oldest' }")
    .superRefine((assume, context) => {
      const problem = assumeProblem({ ...assume });
      if (problem !== null) context.addIssue({ code: 'custom', message: problem.rule });
    })
    .readonly();

/** The schema of the names that replace neutral words. */
export const nameTexts = () =>
  z
    .strictObject({ service: z.string(), idp1: z.string(), idp2: z.string() })
    .partial()
    .superRefine((names, context) => {
      const word = NEUTRAL_NAMES.find(each => nameProblem(each, names) !== null);
      if (word === undefined) return;
      context.addIssue({ code: 'custom', message: `must ${nameProblem(word, names)} (the name of ${word})` });
    })
    .readonly();

/**
 * The schema of each option of a sandbox, as a function, because a start gives few options and builds only their schemas.
 * A test holds `CoreOptions` to them, and the flags of the command line (`OPTION_FLAGS`) have an entry for each.
 */
export const optionSchemas = {
  fixtures: () => z.array(fixture()).min(1).readonly(),
  seed: () => z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  clock: () =>
    z
      .string()
      .refine(text => parseTimestamp(text) !== null, TIMESTAMP_RULE)
      .refine(
        text => (parseTimestamp(text) ?? 0) <= END_OF_TIME,
        `must not be after ${isoTime(END_OF_TIME)}`,
      ),
  freeze: z.boolean,
  kycDelay: () => z.string().refine(text => parseDuration(text) !== null, DURATION_RULE),
  idLength: () => z.int().min(MIN_ID_LENGTH).max(MAX_ID_LENGTH),
  rateLimit: () => z.int().min(0).max(MAX_RATE_LIMIT),
  retrySpeed: () => z.number().gt(0, 'must be more than 0'),
  allowHttpWebhooks: z.boolean,
  forwardTo: forwardUrl,
  map: () => z.array(z.string().refine(text => parseMapping(text) !== null, MAPPING_RULE)).readonly(),
  egress: () => z.enum(EGRESS),
  webhookCa: () => z.string().min(1),
  insecureWebhookTls: z.boolean,
  documentedOnly: z.boolean,
  state: () => z.string().min(1),
  names: nameTexts,
  assume: namedValues,
  profile: () => z.string().min(1),
  maxWorlds: () => z.int().min(0).max(MAX_WORLDS),
  worldTtl: () => z.string().refine(isIdleTime, IDLE_TIME_RULE),
};
