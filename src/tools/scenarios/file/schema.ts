import * as z from 'zod';
import type { WebhookStatus } from '../../../client/generated/records.ts';
import { DURATION_PATTERN, DURATION_RULE, parseDuration } from '../../../core/values/duration.ts';
import { durationText } from '../../../core/values/schemas/duration-schema.ts';
import { isModulePath } from '../../../sandbox/fixtures/file/source.ts';
import { EVENT_TYPES } from '../../../service/webhooks/event-types.ts';

const strict = z.strictObject;

const Name = z.string().regex(/^[A-Za-z_]\w*$/, 'must be a name of letters, digits and _, such as cardId');
const DurationText = durationText()
  .refine(text => parseDuration(text) !== null, DURATION_RULE)
  .meta({ pattern: DURATION_PATTERN.source });

/** Those who take part in a story, in the order in which they are shown. */
export const PARTIES = [
  'person',
  'phone',
  'bank',
  'partner',
  'service',
  'provider',
  'shop',
  'stranger',
] as const;
export type Party = (typeof PARTIES)[number];

export const CALL = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/;

const Request = z
  .string()
  .regex(
    CALL,
    'must be a method and a path, such as POST /partner/cardholders; body and headers are separate members',
  )
  .describe('Method and path below `/v1`, sent with the API key of the partner.');
const Control = z
  .string()
  .regex(CALL, 'must be a method and a path, such as POST /clock/advance')
  .describe('Method and path below `/_sandbox`.');

const Expect = strict({
  status: z.int().min(100).max(599).exactOptional().describe('Status of the response.'),
  headers: z.record(z.string(), z.string()).exactOptional().describe('Headers, by name.'),
  body: z.unknown().optional().describe('Members of the body; others are ignored.'),
});

const STATUSES = ['pending', 'delivered', 'failed'] as const satisfies readonly WebhookStatus[];

const Webhook = strict({
  eventType: z.enum(EVENT_TYPES),
  id: z.string().exactOptional().describe('Id of a delivery that an earlier step captured.'),
  data: z.unknown().optional().describe('Members of the data; others are ignored.'),
  status: z.enum(STATUSES).exactOptional().describe('Status of its delivery.'),
  attempts: z.int().min(1).exactOptional().describe('Number of attempts so far.'),
  isForged: z
    .boolean()
    .exactOptional()
    .describe(
      'Sends the webhook to the receiver as a stranger would, signed with another secret. The receiver has to refuse it.',
    ),
});

export const Step = strict({
  chapter: z.string().min(1).exactOptional().describe('Title of the chapter that begins with this step.'),
  say: z.string().min(1).exactOptional().describe('Heading of the step.'),
  note: z.string().min(1).exactOptional().describe('Text below the heading: why the step matters.'),
  speakerNotes: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Text for the presenter, which the audience does not see.'),
  about: z
    .array(z.string().min(1))
    .exactOptional()
    .describe(
      'Members of the request, the response or the webhook that the step is about, such as `error.code`. The presenter shows the others on demand. Default: those that the step expects.',
    ),
  from: z
    .enum(PARTIES)
    .exactOptional()
    .describe('Party that sends the message of the step. Default: the party of the action.'),
  to: z.enum(PARTIES).exactOptional().describe('Party that receives it.'),
  request: Request.exactOptional(),
  control: Control.exactOptional(),
  webhook: Webhook.exactOptional().describe('A webhook to wait for, with a valid signature.'),
  respond: z
    .int()
    .min(200)
    .max(599)
    .exactOptional()
    .describe('Status with which the receiver responds to webhooks from now on; initially 200.'),
  advance: DurationText.exactOptional().describe('Advances the sandbox clock.'),
  key: z
    .string()
    .nullable()
    .exactOptional()
    .describe("API key of a request, instead of the partner's; null sends none."),
  headers: z.record(z.string(), z.string()).exactOptional().describe('Headers of a request.'),
  body: z.unknown().optional().describe('Body, sent as JSON; a string is sent unchanged.'),
  expect: Expect.exactOptional(),
  capture: z
    .record(Name, z.string())
    .exactOptional()
    .describe('Variables to set from the response or webhook, such as `card: body.id`.'),
  repeat: z
    .int()
    .min(1)
    .max(10_000)
    .exactOptional()
    .describe('How many times the request is sent; default 1.'),
  within: DurationText.exactOptional().describe(
    'How long to retry until the response is as expected, or to wait for the webhook (default 5s).',
  ),
  sandboxOnly: z
    .boolean()
    .exactOptional()
    .describe('Skips the step when there is no control plane, because only a sandbox supports it.'),
});

export const ScenarioFile = strict({
  name: z.string().min(1).describe('Title.'),
  description: z.string().min(1).exactOptional().describe('What it shows, in one or two sentences.'),
  takeaway: z
    .string()
    .min(1)
    .exactOptional()
    .describe('One sentence to remember, which the presenter shows after the last step.'),
  fixtures: z
    .array(
      z
        .string()
        .refine(
          path => !isModulePath(path),
          'is code, which a scenario must not load; use a YAML or JSON fixture',
        ),
    )
    .min(1)
    .default(['starter'])
    .describe(
      'Fixtures of the world in which the presenter plays it, and of the sandbox that `demo` starts without `--url`.',
    ),
  documentedShapes: z
    .boolean()
    .default(false)
    .describe(
      'Also compares each response with the interface: content type, members and their types. Further members are ignored.',
    ),
  variables: z
    .record(Name, z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .describe('Variables by name, for use in texts; `--var` overrides them.'),
  parties: z
    .partialRecord(z.enum(PARTIES), z.string().min(1))
    .default({})
    .describe(
      'What the presenter calls the parties of the story: `person`, `phone`, `bank`, `partner`, `service`, `provider`, `shop`, `stranger`.',
    ),
  people: z
    .record(Name, z.string().min(1))
    .default({})
    .describe(
      'Whom the story is about: a name for each variable that captures the id of a cardholder. The presenter keeps them on the screen, and whoever else the steps name.',
    ),
  steps: z.array(Step).min(1),
});

export type ScenarioFile = z.output<typeof ScenarioFile>;
export type Step = ScenarioFile['steps'][number];

/** The members that are actions; a step has at most one. */
export const ACTIONS = ['request', 'control', 'webhook', 'respond', 'advance'] as const;
export type Action = (typeof ACTIONS)[number];

export function actionOf(step: Step): Action | null {
  return ACTIONS.find(action => step[action] !== undefined) ?? null;
}

export const ACTIONS_OF_MEMBER: Readonly<Partial<Record<keyof Step, readonly Action[]>>> = {
  key: ['request'],
  headers: ['request'],
  body: ['request', 'control'],
  expect: ['request', 'control'],
  capture: ['request', 'control', 'webhook'],
  repeat: ['request'],
  within: ['request', 'webhook'],
};

/** Returns the JSON Schema of scenario files, with which editors validate and complete them. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ScenarioFile, { io: 'input', unrepresentable: 'any' });
  return { ...schema, title: 'card-sandbox scenario' };
}
