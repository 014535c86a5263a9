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

A scenario is a YAML or JSON file with a list of steps: requests, expected responses and expected webhooks. The package
contains three: \`kyc-reimport\`, \`error-flows\` and \`card-lifecycle\`.

\`\`\`sh
# For an audience: starts a temporary sandbox, shows each request, response and webhook, waits for a key between steps.
card-sandbox demo kyc-reimport --pause
# Against any server: prints one line per step and every difference. A sandbox sends webhooks to the receiver of the
# scenario only when it was started with --allow-http-webhooks.
card-sandbox run kyc-reimport --base-url http://127.0.0.1:4242/v1 --api-key sk_test_acme_0123456789abcdef \\
  --control-url http://127.0.0.1:4242 --junit report.xml
\`\`\`

\`demo\` stops at the first step that fails, unless \`--keep-going\` is set. \`run\` continues, unless \`--no-keep-going\`
is set. Both exit with 1 when a step fails. A difference shows the member, the expected and the received value, the line
of the step, and the section of the interface behind it.

## A file

\`\`\`yaml
# yaml-language-server: $schema=node_modules/card-sandbox/fixtures/scenarios/schema.json
name: Unique email addresses
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

  - say: The webhook arrives
    webhook: { eventType: cardholder.created, data: { id: "\${mia}" }, status: delivered }

  - say: A second cardholder with the same email address is refused
    request: POST /partner/cardholders
    body:
      externalUserId: user-max-\${run}
      email: mia-\${run}@example.com
      phoneNumber: "+4915123456780"
      kycSource: idp1
      idp1ShareToken: idp1_test_approve_max-\${run}
    expect: { status: 409, body: { error: { code: EMAIL_ALREADY_REGISTERED, existingCardholderId: "\${mia}" } } }
\`\`\`

An invalid file is reported with line numbers, and nothing is played. Editors complete and validate a file that names
the JSON Schema in its first line. The schema is \`fixtures/scenarios/schema.json\` in the package.

## Variables

\`\${name}\` is replaced by a value under \`variables\`, or by one that an earlier step captured. \`--var name=value\`
overrides both. A step is skipped when \`--var\` sets all its captures. \`\${run}\` differs in each run on the same server,
which keeps names unique. A text that is only \`\${name}\` takes the type of the value. \`$\${name}\` is the literal text
\`\${name}\`.

A capture is a path: \`body.data[0].id\`, \`headers.x-sandbox-request\`, \`status\`; for a webhook
\`body.data.id\`. A step that needs a value which an earlier step did not capture is skipped, with that reason.

## Expectations

Objects may have members that an expectation does not name. Lists must have the same length. \`null\` matches null. A
text between slashes is a regular expression (\`/^card_/\`), and these texts are matchers:

MATCHER_TABLE

A control call without a status must succeed. Webhooks must have a valid signature.

## Other servers

\`run\` works with any server. Steps that need something the server does not have are skipped, and the report says why:

- Without \`--control-url\` there is no control plane, and steps that need it are skipped. Supply the share tokens that
  they would have minted: \`--var misspelt=… --var corrected=… --var spare=…\`.
- Webhooks arrive at a receiver on this machine. For a remote server, pass an address at which it reaches the receiver
  with \`--webhook-url\`, and the local port with \`--webhook-port\`; otherwise those steps are skipped. A card-sandbox
  accepts the receiver's http:// address only when it was started with \`--allow-http-webhooks\`. At the end, the
  partner's webhook configuration is restored, except that a secret cannot be removed.
- Other servers have no clock to advance: \`within: 60s\` repeats the request until the response is as expected.

Production keys are refused.

<!-- The rest is generated from the schema by \`npm run docs\`. -->
`;

/** Returns the reference of the scenario format, generated from its schema. */
export function scenarioReference(): string {
  const schema: JsonSchema = scenarioJsonSchema();
  const { steps = {}, ...members } = schema.properties ?? {};
  const step = steps.items ?? {};
  const matchers = Object.entries(MATCHERS).map(
    ([name, { description }]) => `| \`<${name}>\` | ${description} |`,
  );
  return [
    INTRODUCTION.replace('MATCHER_TABLE', ['| Text | Matches |', '| --- | --- |', ...matchers].join('\n')),
    '## A scenario\n',
    table(
      rowsOf({
        properties: { ...members, steps: { type: 'list', description: 'See below.' } },
        required: schema.required ?? [],
      }),
    ),
    '## A step\n',
    'A step has at most one action: `request`, `control`, `webhook`, `respond`, `advance` or `wait`. A step\nwithout one only shows its texts.\n',
    table(rowsOf(step)),
  ].join('\n');
}

function table(rows: readonly string[]): string {
  return `| Member | Value | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const notes = [
      required.includes(name) && member.default === undefined ? 'required' : '',
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
