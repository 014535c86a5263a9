import * as z from 'zod';
import { DURATION_RULE, parseDuration } from '../../kernel/values/duration.ts';
import { EVENT_TYPES } from '../../resources/webhooks/event-types.ts';
import { DELIVERY_STATUSES } from '../../resources/webhooks/schema.ts';

const strict = z.strictObject;

/** A name that `${…}` can call. */
const Name = z.string().regex(/^[A-Za-z_]\w*$/, 'must be a name of letters, digits and _, such as cardId');
const DurationText = z.string().refine(text => parseDuration(text) !== null, DURATION_RULE);

/** A method and a path. */
export const CALL = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\/\S*)$/;

const Request = z
  .string()
  .regex(
    CALL,
    'must be a method and a path, such as POST /partner/cardholders; body and headers stand beside it',
  )
  .describe('Method and path below `/v1`, called with the key of the partner.');

const Expect = strict({
  status: z.int().min(100).max(599).exactOptional().describe('Status of the answer.'),
  headers: z.record(z.string(), z.string()).exactOptional().describe('Headers, by name.'),
  body: z.unknown().optional().describe('Members of the body; those that are not named do not matter.'),
});

const Webhook = strict({
  eventType: z.enum(EVENT_TYPES),
  id: z.string().exactOptional().describe('Id of a delivery that an earlier step captured.'),
  data: z.unknown().optional().describe('Members of the data; those that are not named do not matter.'),
  status: z.enum(DELIVERY_STATUSES).exactOptional().describe('Status of its delivery.'),
  attempts: z.int().min(1).exactOptional().describe('How often it has come by now.'),
});

/** One step of a scenario: what is said, what is done, and what is expected of it. */
export const Step = strict({
  say: z.string().min(1).exactOptional().describe('Heading of the step, for people who watch.'),
  note: z.string().min(1).exactOptional().describe('What else is worth saying.'),
  request: Request.exactOptional(),
  control: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Method and path below `/_sandbox`, or the id of a control operation.'),
  webhook: Webhook.exactOptional().describe('A webhook that is to arrive, with a valid signature.'),
  respond: z
    .int()
    .min(200)
    .max(599)
    .exactOptional()
    .describe('Status with which the receiver answers webhooks from here on; 200 at first.'),
  advance: DurationText.exactOptional().describe('Moves the sandbox clock on.'),
  wait: DurationText.exactOptional().describe('Waits, in wall time.'),
  params: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe('Values for the `{…}` in the path of a control operation that is named by its id.'),
  key: z
    .string()
    .nullable()
    .exactOptional()
    .describe("API key of a request, in the place of the partner's own; null sends none."),
  headers: z.record(z.string(), z.string()).exactOptional().describe('Headers of a request.'),
  body: z.unknown().optional().describe('Body, sent as JSON; a text is sent as it stands.'),
  expect: Expect.exactOptional(),
  capture: z
    .record(Name, z.string())
    .exactOptional()
    .describe('Names for values of the answer or the webhook, such as `card: body.id`.'),
  repeat: z
    .int()
    .min(1)
    .max(10_000)
    .exactOptional()
    .describe('How often the request is made; 1 unless given.'),
  within: DurationText.exactOptional().describe(
    'How long to try until the answer is as expected, or to wait for the webhook (5s unless given).',
  ),
  sandboxOnly: z
    .boolean()
    .exactOptional()
    .describe('Skips the step where there is no control plane: no other server does this.'),
});

/** A scenario file. */
export const ScenarioFile = strict({
  name: z.string().min(1).describe('Title.'),
  description: z.string().min(1).exactOptional().describe('What it shows, in a sentence or two.'),
  fixtures: z
    .array(z.string())
    .min(1)
    .default(['empty'])
    .describe('What the world of a sandbox of its own holds (`demo` without `--url`).'),
  partner: z
    .string()
    .exactOptional()
    .describe('Partner of the sandbox whose key is used; the first unless given.'),
  apiKey: z.string().exactOptional().describe('API key that is used when none is given by a flag.'),
  variables: z
    .record(Name, z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .describe('Values by name, for texts to call; `--var` gives others.'),
  steps: z.array(Step).min(1),
});

/** What a scenario file holds, checked. */
export type ScenarioFile = z.output<typeof ScenarioFile>;
/** One step of a scenario. */
export type Step = ScenarioFile['steps'][number];

/** What a step can do; it does one of these. */
export const ACTIONS = ['request', 'control', 'webhook', 'respond', 'advance', 'wait'] as const;
/** What a step can do. */
export type Action = (typeof ACTIONS)[number];

/** What a step does; null where it only says something. */
export function actionOf(step: Step): Action | null {
  return ACTIONS.find(action => step[action] !== undefined) ?? null;
}

/** Members of a step that go with some actions only. */
export const COMPANIONS: Readonly<Partial<Record<keyof Step, readonly Action[]>>> = {
  params: ['control'],
  key: ['request'],
  headers: ['request'],
  body: ['request', 'control'],
  expect: ['request', 'control'],
  capture: ['request', 'control', 'webhook'],
  repeat: ['request'],
  within: ['request', 'webhook'],
};

/** The format of scenario files as JSON Schema, by which editors check and complete them. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ScenarioFile, { io: 'input', unrepresentable: 'any' });
  return { ...schema, title: 'card-sandbox scenario' };
}
