import type { Command } from 'commander';
import { wordsOf } from '../../src/cli/command.ts';

const INTRODUCTION = `# The command line

Every command has \`--help\` with an example, never asks back, prints results on standard output and everything
else on standard error, and takes \`--json\`. It ends with 0 when what was asked was done, with 1 when it failed,
and with 2 when it was asked in the wrong way. \`NO_COLOR\` is honoured.

The command is \`npx card-sandbox\`, in a project that has the package installed and in a clone of it; these documents
leave \`npx\` out.

All but \`start\`, \`exec\`, \`listen\`, \`fixtures\`, \`demo\`, \`run\`, \`openapi\`, \`doctor\` and \`completion\` talk to a
running sandbox: the one at \`--url\` or \`CARD_SANDBOX_URL\`, else \`http://127.0.0.1:4242\`. One that listens beyond loopback wants its
control token, in \`--control-token\` or \`CARD_SANDBOX_CONTROL_TOKEN\`.

## In a script, in CI

\`exec\` runs a command beside a sandbox that lives as long as the command:

\`\`\`sh
card-sandbox exec --fixtures empty --freeze --state-on-failure failed.json -- npm test
\`\`\`

The command finds it by \`CARD_SANDBOX_URL\`, \`SERVICE_BASE_URL\`, \`SERVICE_API_KEY\` and
\`SERVICE_WEBHOOK_SECRET\`. The exit code is the command's; 128 and the number of the signal when one ended it,
127 when there is no such command. Nothing that it started is left running. When the first partner has no webhook
secret, \`exec\` configures one, the same for the same seed; a reset forgets it, so send it along with your
webhook URL.

For a sandbox that runs already, \`wait\` ends once it answers, and \`env\` prints the same variables:

\`\`\`sh
card-sandbox start > sandbox.log & card-sandbox wait && eval "$(card-sandbox env)"
\`\`\`

## Flags made from the operations

Commands that only call the [control plane](control-plane.md) are made from its operations: each
member of a query or body is a flag, those of nested objects with their path (\`--merchant-name\`), lists by
repeating the flag, free objects as \`--data name=value\` (the value is JSON where it can be read as such).
\`--body\` takes the whole body as JSON, or \`@FILE\`. The members that are needed most can stand without a flag:
\`clock advance 24h\` is \`clock advance --duration 24h\`. An unknown flag, word or member is an error.

## Watching fixtures

With \`start --watch\` a sandbox begins anew whenever one of its fixture files changes. What was created since it
began is dropped, and the log line counts it. A file with mistakes is reported, and the world goes on as it is.
\`fixtures init\` writes a file to begin with, and the JSON Schema by which editors complete it.

## Receiving webhooks

\`listen\` is a receiver that verifies signatures and prints what comes. \`--respond 500,500,200\` has it fail
twice first, \`hang\`, \`drop\` and \`slow:3s\` fail in other ways. A wrong signature is answered with 401.

\`doctor webhook URL\` is the other way round: it sends your receiver genuine and forged deliveries and
[grades it](webhooks.md#to-examine-a-receiver).

## Scenarios

\`demo\` plays a [scenario](scenarios.md) step by step for people who watch, in a sandbox of its own; \`run\` holds any
server against one.

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
