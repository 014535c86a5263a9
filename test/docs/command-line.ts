import type { Command } from 'commander';
import { wordsOf } from '../../src/cli/command.ts';

const INTRODUCTION = `# The command line

Every command has \`--help\` with an example, never prompts, prints results on standard output and messages on standard
error, and takes \`--json\`. The exit code is 0 on success, 1 when the command failed and 2 for wrong usage. \`NO_COLOR\`
turns colours off.

In a project that has the package installed, and in a clone of it, run the command as \`npx card-sandbox\`. This
documentation omits \`npx\`.

All commands except \`start\`, \`exec\`, \`listen\`, \`fixtures\`, \`demo\`, \`run\`, \`openapi\`, \`doctor\` and \`completion\` call
a running sandbox: the one at \`--url\` or \`CARD_SANDBOX_URL\`, by default \`http://127.0.0.1:4242\`. A sandbox that listens
beyond loopback requires its control token in \`--control-token\` or \`CARD_SANDBOX_CONTROL_TOKEN\`.

## Scripts and CI

\`exec\` runs a command against a sandbox that lives as long as the command:

\`\`\`sh
card-sandbox exec --fixtures empty --freeze --state-on-failure failed.json -- npm test
\`\`\`

The command receives \`CARD_SANDBOX_URL\`, \`SERVICE_BASE_URL\`, \`SERVICE_API_KEY\` and \`SERVICE_WEBHOOK_SECRET\`. The exit
code is that of the command: 128 plus the signal number when a signal ended it, 127 when the command is not found.
Processes that the command leaves running are killed. When the first partner has no webhook secret, \`exec\` configures
one, the same for the same seed. A reset removes it, so include the secret when you configure your webhook URL.

For a sandbox that is already running, \`wait\` ends once it responds, and \`env\` prints the same variables:

\`\`\`sh
card-sandbox start > sandbox.log & card-sandbox wait && eval "$(card-sandbox env)"
\`\`\`

## Flags generated from operations

Commands that only call the [control plane](control-plane.md) are generated from its operations. Each member of a query
or body is a flag. Flags of nested objects have the path in their name (\`--merchant-name\`), lists repeat the flag, and
free-form objects are written \`--data name=value\`, where the value is parsed as JSON if possible. \`--body\` takes the whole
body as JSON, or \`@FILE\`. The most important members can be arguments: \`clock advance 24h\` is
\`clock advance --duration 24h\`. An unknown flag, word or member is an error.

## Watching fixtures

\`start --watch\` reloads its fixture files whenever one changes. Records that were created since the last load are
dropped, and the log line counts them. An invalid file is reported, and the sandbox keeps its state. \`fixtures init\`
writes an example file, and the JSON Schema with which editors complete it.

## Receiving webhooks

\`listen\` is a receiver that verifies signatures and prints deliveries. \`--respond 500,500,200\` fails twice before it
succeeds; \`hang\`, \`drop\` and \`slow:3s\` are other failures. An invalid signature gets 401.

\`doctor webhook URL\` tests the other side: it sends genuine and forged deliveries to your receiver and
[grades it](webhooks.md#to-examine-a-receiver).

## Scenarios

\`demo\` plays a [scenario](scenarios.md) step by step for an audience, in a temporary sandbox. \`run\` compares any server
with one.

<!-- The rest is generated from the program by \`npm run docs\`. -->

## All commands

| Command | What it does |
| --- | --- |
`;

/** The documentation of the command line, with every command of the program. */
export function commandLineReference(program: Command): string {
  const rows = leaves(program).map(command => {
    const args = command.registeredArguments.map(argument => {
      const name = argument.name() + (argument.variadic ? '...' : '');
      return argument.required ? ` <${name}>` : ` [${name}]`;
    });
    return `| \`${wordsOf(command).join(' ')}${args.join('')}\` | ${command.description().replaceAll('|', '\\|')} |\n`;
  });
  return INTRODUCTION + rows.join('');
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}
