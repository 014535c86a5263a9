import { once } from 'node:events';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { entriesOf, readRecord } from '../../../control/history/record/read.ts';
import { serverOf } from '../../../control/own-server.ts';
import { openRecord } from '../../../sandbox/replay/open-record.ts';
import type { SendingOptions } from '../../../sandbox/replay/player.ts';
import { newControlToken } from '../../../server/http/server-secrets.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { portNumber } from '../../flags.ts';
import { printable, printResult, progress } from '../../output/print.ts';
import { serveOrStop, shutDown } from '../../sandbox/launch.ts';
import { OPTIONS_OF_SANDBOX, recordingFlags, type ServeFlags } from '../../sandbox/sandbox-flags.ts';
import { abortOnSignals } from '../../signals.ts';

interface OpenFlags
  extends SendingOptions,
    Pick<ServeFlags, 'port' | 'host' | 'allowHost' | 'trustProxy' | 'controlToken'> {
  readonly at?: string;
  readonly json?: true;
}

const AFTER = `
The clock is frozen, and the history, the journal and the deliveries come from the record, so that the dashboard shows
what happened and can go back to before each request. Nothing is sent until forward says where to; then
events redeliver --all sends the recorded webhooks to an app that is being repaired. Of a configuration file, what the
record does not hold applies: how it is served, and how webhooks are sent.
${examples('open sandbox-artifacts/main.record.jsonl', 'open main.record.jsonl --at ent_12 --port 4242')}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['open']);
  command
    .description(
      'Open the record of a world: serve it as it stood at its end, for the dashboard and the control plane.',
    )
    .argument('<file>', 'record of exec --artifacts, history export or a failed test')
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 picks a free one')
        .argParser(portNumber)
        .default(0, '0'),
    )
    .option('--at <entry>', 'stop before this entry: its id, or the id of its request')
    .option('--json', 'print the addresses as JSON')
    .optionsGroup(OPTIONS_OF_SANDBOX);
  recordingFlags(command).addHelpText('after', AFTER).action(open);
};

async function open(file: string, flags: OpenFlags, command: Command): Promise<void> {
  const { port, host, allowHost, trustProxy = false, controlToken = newControlToken(), at, json } = flags;
  const record = await readRecord(file);
  const entries = entriesOf(record).map(({ entry }) => entry);
  const until =
    at === undefined ? undefined : entries.findLast(({ id, requestId }) => id === at || requestId === at);
  if (at !== undefined && until === undefined) {
    throw new UsageError(
      `--at ${at}: the record has no such entry; its last is ${entries.at(-1)?.id ?? 'none'}`,
    );
  }
  const { sandbox, played } = await openRecord(record, until, flags);
  const { world } = record.header;
  serverOf(sandbox.main).recording = {
    file: basename(file),
    world,
    entry: sandbox.main.history.entries.at(-1)?.id ?? null,
  };
  const requireToken = command.getOptionValueSource('controlToken') === 'cli';
  const listen = { port, host, allowHost, trustProxy, controlToken, requireToken };
  const server = await serveOrStop(sandbox, listen);
  const token = server.needsToken && flags.controlToken === undefined ? controlToken : null;
  const signals = abortOnSignals();
  const dashboardUrl = `${server.origin}/dashboard/${world}`;
  const addresses = { dashboardUrl, url: server.origin, world, ...(token && { controlToken: token }) };
  await printResult(json ? JSON.stringify(addresses) : dashboardUrl);
  if (!json) {
    if (token !== null) progress(`control token: ${token}`);
    const place = until === undefined ? 'its end' : `the state before ${until.id}`;
    progress(printable(`${file}: the world ${world} at ${place}, a recording; Ctrl-C closes it`));
    if (entries.length === 0) progress('nothing was recorded: it has no entry');
    if (record.end === null)
      progress('the record was cut short: its process was killed or could no longer write');
    if (played.different.length > 0) {
      progress(
        `${played.different.length} of ${played.compared} responses differ from the record; card-sandbox run says which`,
      );
    }
  }
  if (!signals.signal.aborted) await once(signals.signal, 'abort');
  await shutDown({ sandbox, server });
}
