import { Option } from 'commander';
import type { EventType, WebhookDelivery } from '../../client/generated/records.ts';
import { createControlCall } from '../../client/operation-calls.ts';
import { EVENT_TYPES } from '../../service/webhooks/event-types.ts';
import { DELIVERY_STATUSES } from '../../service/webhooks/schema.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { Exit, FAILED, UsageError } from '../errors.ts';
import { printFlag, withChoices } from '../flags.ts';
import { checkPrintFlag } from '../from-operations/print-flag.ts';
import { colour, print, printable, printResult } from '../output/print.ts';
import { printField } from '../output/response.ts';

interface RedeliverFlags extends ConnectionFlags {
  readonly all?: true;
  readonly type?: EventType;
  readonly status?: WebhookDelivery['status'];
}

const AFTER = `
Each keeps its id and its body and is signed again. They are sent in the order in which they happened, each after the one
before it has ended; the exit code is 1 when one is not delivered. With open and forward, the webhooks of a failed job
reach the app that is being repaired.
${examples('events redeliver evt_1qgr2mj8x11cjw0v', 'events redeliver --all', 'events redeliver --all --type card.issued --status failed')}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['events', 'redeliver'])
    .description('Send webhook deliveries of any status once more.')
    .argument('[ids...]', 'ids of the events')
    .option('--all', 'send all, in the order in which they happened')
    .addOption(
      withChoices(new Option('--type <type>', 'with --all: only deliveries of this type'), EVENT_TYPES),
    )
    .addOption(
      withChoices(
        new Option('--status <status>', 'with --all: only deliveries with this status'),
        DELIVERY_STATUSES,
      ),
    );
  connectionFlags(printFlag(command))
    .addHelpText('after', AFTER)
    .action((ids: readonly string[], flags: RedeliverFlags) => {
      checkPrintFlag(command, ['deliveries.redeliver']);
      return redeliverAll(ids, flags);
    });
};

async function redeliverAll(ids: readonly string[], flags: RedeliverFlags): Promise<void> {
  const { all, type: eventType, status, json, print: field } = flags;
  if ((all ?? false) === ids.length > 0) throw new UsageError('name the events, or pass --all');
  if (!all && (eventType ?? status) !== undefined) throw new UsageError('--type and --status are for --all');
  const call = createControlCall(connect(flags));
  const inOrder = (await call('deliveries.list', { eventType, status })).map(({ id }) => id).reverse();
  // Nothing is sent when one of them is unknown.
  for (const id of ids) await call('deliveries.get', id);
  const place = (id: string) => inOrder.indexOf(id);
  const wanted = all ? inOrder : [...new Set(ids)].sort((one, other) => place(one) - place(other));
  if (wanted.length === 0) {
    throw new Error('nothing was sent: there is no such delivery; events list shows them');
  }
  const sent: WebhookDelivery[] = [];
  for (const id of wanted) {
    const delivery = await call('deliveries.redeliver', id);
    sent.push(delivery);
    if (!json && field === undefined) print(line(delivery));
  }
  const [first] = sent;
  if (field !== undefined) for (const delivery of sent) await printField(delivery, field);
  else if (json) await printResult(printable(JSON.stringify(!all && sent.length === 1 ? first : sent)));
  const failed = sent.filter(({ attempts }) => attempts.at(-1)?.cause !== null).length;
  if (failed > 0) throw new Exit(FAILED, `${failed} of ${sent.length} webhooks were not delivered`);
}

function line({ id, eventType, attempts }: WebhookDelivery): string {
  const last = attempts.at(-1);
  const { cause = 'not sent', status = null } = last ?? {};
  const result = cause === null ? colour.green(String(status)) : colour.red(`${status ?? 'none'} ${cause}`);
  return `${printable(`${id} ${eventType}`)} ${result}`;
}
