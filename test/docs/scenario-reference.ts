import { scenarioJsonSchema } from '../../src/scenarios/file/schema.ts';
import { MATCHERS } from '../../src/scenarios/play/matching.ts';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
}

const INTRODUCTION = `# Scenarios

A scenario is a YAML or JSON file with a list of steps: requests, what is expected of the answers, and webhooks
that are to arrive. Three come with the package: \`kyc-reimport\`, \`error-flows\` and \`card-lifecycle\`.

\`\`\`sh
# Shown to people: a sandbox of its own, each request, answer and webhook, a key between the steps.
card-sandbox demo kyc-reimport --pause
# Held against any server, with a line a step and every difference. A sandbox that is to send webhooks
# to the receiver of the scenario is one that was started with --allow-http-webhooks.
card-sandbox run kyc-reimport --base-url http://127.0.0.1:4242/v1 --api-key sk_test_acme_0123456789abcdef \\
  --control-url http://127.0.0.1:4242 --junit report.xml
\`\`\`

\`demo\` stops at the first step that goes otherwise than expected, unless \`--keep-going\` says not to; \`run\` plays
on, unless \`--no-keep-going\` does. Both exit with 1 when a step differs. A difference names the member, what was
expected, what came, where the step stands in the file, and the section of the interface that decides.

## A file

\`\`\`yaml
# yaml-language-server: $schema=node_modules/card-sandbox/fixtures/scenarios/schema.json
name: A name that cannot be
steps:
  - say: Acme imports Mia
    request: POST /partner/cardholders
    body:
      externalUserId: user-mia-\${run}
      email: mia-\${run}@example.com
      phoneNumber: "+4915123456789"
      kycSource: idp1
      idp1ShareToken: idp1_test_approve_mia-\${run}
    expect: { status: 201, body: { id: <string>, kycStatus: pending, createdAt: <time> } }
    capture: { mia: body.id }

  - say: Acme's server hears of it
    webhook: { eventType: cardholder.created, data: { id: "\${mia}" }, status: delivered }

  - say: The same e-mail address does not work twice
    request: POST /partner/cardholders
    body:
      externalUserId: user-max-\${run}
      email: mia-\${run}@example.com
      phoneNumber: "+4915123456780"
      kycSource: idp1
      idp1ShareToken: idp1_test_approve_max-\${run}
    expect: { status: 409, body: { error: { code: EMAIL_ALREADY_REGISTERED, existingCardholderId: "\${mia}" } } }
\`\`\`

A mistake in a file is told with its line, and nothing is played. Editors complete and check a file that names the
JSON Schema in its first line; the schema is \`fixtures/scenarios/schema.json\` in the package.

## Variables

\`\${name}\` stands for a value under \`variables\`, or one that an earlier step captured. \`--var name=value\` gives
another and weighs more than either; a step all of whose captures are given that way is skipped. \`\${run}\` is
different in each run on the same server, so that names can be unique. A text that is nothing but \`\${name}\` takes
the type of the value. \`$\${name}\` is the text \`\${name}\` itself.

A capture is a path: \`body.data[0].id\`, \`headers.x-sandbox-request\`, \`status\`; of a webhook \`body.data.id\`. A step
that needs a value which an earlier step did not give is skipped, and says so.

## What is expected

Members that an expectation does not name do not matter; lists must be equally long. \`null\` is null. A text
between slashes is a regular expression (\`/^card_/\`), and these texts stand for more than themselves:

MATCHER_TABLE

A control call without a status must succeed. Webhooks must have a valid signature.

## Other servers

\`run\` needs no card-sandbox. What a server does not have is left out, and the report says why:

- Without \`--control-url\` there is no control plane: steps that need it are skipped. Where they would have minted
  share tokens, give your own: \`--var misspelt=… --var corrected=… --var spare=…\`.
- Webhooks arrive at a receiver on this machine. A server elsewhere reaches it through an address of yours, which
  \`--webhook-url\` names, with \`--webhook-port\` for the port that it leads to; else those steps are skipped. A
  card-sandbox takes the receiver's http address when it was started with \`--allow-http-webhooks\`. The partner's
  webhook configuration is put back at the end, all but a secret that was not there before.
- Time passes by itself elsewhere: \`within: 60s\` asks again until the answer is as expected.

Keys of the production environment are refused.

<!-- The rest is generated from the schema by \`npm run docs\`. -->
`;

/** The reference of the scenario format, from the schema that checks it. */
export function scenarioReference(): string {
  const schema: JsonSchema = scenarioJsonSchema();
  const { steps = {}, ...members } = schema.properties ?? {};
  const step = steps.items ?? {};
  const matchers = Object.entries(MATCHERS).map(([name, { words }]) => `| \`<${name}>\` | ${words} |`);
  return [
    INTRODUCTION.replace('MATCHER_TABLE', ['| Text | Fits |', '| --- | --- |', ...matchers].join('\n')),
    '## A scenario\n',
    table(
      rowsOf({
        properties: { ...members, steps: { type: 'list', description: 'See below.' } },
        required: schema.required ?? [],
      }),
    ),
    '## A step\n',
    'A step does one thing: `request`, `control`, `webhook`, `respond`, `advance` or `wait`. One that only says\nsomething does none.\n',
    table(rowsOf(step)),
  ].join('\n');
}

function table(rows: readonly string[]): string {
  return `| Member | Value | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const notes = [
      required.includes(name) && member.default === undefined ? 'needed' : '',
      member.default === undefined ? '' : `default \`${JSON.stringify(member.default)}\``,
      member.description ?? '',
    ].filter(note => note !== '');
    const row = `| \`${prefix}${name}\` | ${typeOf(member)} | ${notes.join('; ')} |`;
    return member.properties === undefined ? [row] : [row, ...rowsOf(member, `${prefix}${name}.`)];
  });
}

function typeOf(schema: JsonSchema): string {
  const { enum: choices, items, anyOf, additionalProperties, type } = schema;
  if (choices !== undefined) return choices.map(value => `\`${value}\``).join(', ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (typeof additionalProperties === 'object') return `names with ${typeOf(additionalProperties)}`;
  return (type === undefined ? undefined : [type].flat().join(' or ')) ?? 'anything';
}
