import { EVENT_TYPES } from '../../../service/webhooks/event-types.ts';
import { sandboxNow } from '../../data/clock.ts';
import { DELIVERY_STATUSES } from '../../data/enumerations.ts';
import { control } from '../../data/http.ts';
import { deliveries, FAILED, useTotal } from '../../data/records.ts';
import type { Delivery, NotDelivered } from '../../data/response-types.ts';
import { partner } from '../../data/store.ts';
import { plainChoices } from '../../forms/fields.ts';
import { recordView } from '../../paging/browse-records.tsx';
import { linkTo, openCreated } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { openForm } from '../../ui/form.tsx';
import { relativeTime } from '../../ui/format.ts';
import { TwoLines } from '../../ui/list.tsx';
import { WEBHOOK_TABS } from '../tabs.ts';
import { DeliveryDetail } from './delivery.tsx';

export const deliveriesView = recordView<Delivery>({
  name: 'webhooks',
  title: 'Webhooks',
  icon: 'webhook',
  key: 'w',
  tabs: WEBHOOK_TABS,
  MenuCount: FailedCount,
  list: deliveries,
  columns: [
    {
      title: 'Event',
      width: 'minmax(0, 2fr)',
      cell: row => <TwoLines main={row.eventType} sub={<code>{row.resourceId}</code>} />,
    },
    { title: 'Status', width: '108px', cell: row => <StateBadge state={row.status} /> },
    { title: 'Attempts', width: '76px', hideWhen: 'narrow', isNumber: true, cell: row => row.attemptCount },
    { title: 'Next', width: '108px', hideWhen: 'narrow', cell: row => <NextRetry at={row.nextRetryAt} /> },
    timeColumn('Created', row => row.createdAt),
  ],
  states: { parameter: 'status', all: DELIVERY_STATUSES },
  create: { label: 'Trigger event', run: openEventForm },
  source: (
    <>
      Events that the partner has subscribed to are sent to its webhook URL.{' '}
      <a href={linkTo('webhook-settings')}>Configure webhooks</a>
    </>
  ),
  Detail: DeliveryDetail,
});

function NextRetry({ at }: { readonly at: string | null }) {
  if (at === null || sandboxNow.value === null) return <span class="nothing">–</span>;
  return <>{relativeTime(at, sandboxNow.value)}</>;
}

function FailedCount() {
  const failed = useTotal(deliveries, FAILED) ?? 0;
  if (failed === 0) return null;
  return (
    <span class="menu-count" title={`${failed} failed`}>
      {failed}
      <span class="off-screen"> failed</span>
    </span>
  );
}

function openEventForm(): void {
  openForm({
    title: 'Trigger an event',
    intro: 'Uses the record that you name, else an existing one, else a sample.',
    submit: 'Trigger',
    fields: () => [
      { name: 'eventType', label: 'Event', kind: 'choice', choices: plainChoices(EVENT_TYPES) },
      {
        name: 'resourceId',
        label: 'Record',
        isOptional: true,
        hint: 'Id of a cardholder, card, transaction or session.',
      },
    ],
    async run(input) {
      const body = { ...input, partnerId: partner.value?.id };
      const result = await control<Delivery | NotDelivered>('POST', '/events', body);
      if ('delivered' in result) throw new Error(`Nothing was sent: ${result.cause}.`);
      openCreated('webhooks', result.id);
    },
  });
}
