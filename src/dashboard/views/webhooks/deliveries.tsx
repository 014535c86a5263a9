import { EVENT_TYPES } from '../../../service/webhooks/event-types.ts';
import { sandboxNow } from '../../data/clock.ts';
import { DELIVERY_STATUSES } from '../../data/enumerations.ts';
import { control } from '../../data/http.ts';
import type { Delivery, NotDelivered } from '../../data/response-types.ts';
import { deliveries, partner, partnerDeliveries, webhookConfig } from '../../data/store.ts';
import { plainChoices } from '../../forms/fields.ts';
import { Browse } from '../../paging/browse.tsx';
import { MissingRecord } from '../../paging/browse-frame.tsx';
import { go, linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { openForm } from '../../ui/form.tsx';
import { relativeTime } from '../../ui/format.ts';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { DeliveryDetail } from './delivery.tsx';
import { WEBHOOK_TABS } from './tabs.ts';

export const deliveriesView: View = {
  name: 'webhooks',
  title: 'Webhooks',
  icon: 'webhook',
  key: 'w',
  tabs: WEBHOOK_TABS,
  Page: Deliveries,
  MenuCount: FailedCount,
};

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: 'Event',
    width: 'minmax(0, 2fr)',
    cell: row => <TwoLines main={row.eventType} sub={<code>{row.resourceId}</code>} />,
  },
  { title: 'Status', width: '108px', cell: row => <StateBadge state={row.status} /> },
  { title: 'Attempts', width: '76px', hideWhen: 'narrow', isNumber: true, cell: row => row.attemptCount },
  { title: 'Next', width: '108px', hideWhen: 'narrow', cell: row => <NextRetry at={row.nextRetryAt} /> },
  timeColumn('Created', row => row.createdAt),
];

function NextRetry({ at }: { readonly at: string | null }) {
  if (at === null || sandboxNow.value === null) return <span class="nothing">–</span>;
  return <>{relativeTime(at, sandboxNow.value)}</>;
}

function FailedCount() {
  const failed = partnerDeliveries.value?.filter(({ status }) => status === 'failed').length ?? 0;
  if (failed === 0) return null;
  return (
    <span class="menu-count" title={`${failed} failed`}>
      {failed}
      <span class="off-screen"> failed</span>
    </span>
  );
}

function Deliveries() {
  const trigger = (
    <Button icon="send" tone="primary" onClick={openEventForm}>
      Trigger event
    </Button>
  );
  return (
    <Browse
      view={deliveriesView}
      noun="delivery"
      rows={partnerDeliveries.value}
      error={deliveries.error.value}
      columns={COLUMNS}
      states={{ of: ({ status }) => status, all: DELIVERY_STATUSES }}
      actions={trigger}
      empty={
        <Empty icon="webhook" title="No deliveries yet">
          <p>{emptyReason()}</p>
          <a class="button" href={linkTo('webhook-settings')}>
            Configure webhooks
          </a>
          {trigger}
        </Empty>
      }
      detail={id => <OpenDelivery id={id} />}
    />
  );
}

function OpenDelivery({ id }: { readonly id: string }) {
  const row = deliveries.find(id);
  if (row !== undefined) return <DeliveryDetail row={row} />;
  return deliveries.data.value === null ? null : <MissingRecord noun="delivery" id={id} />;
}

function emptyReason(): string {
  const config = webhookConfig.data.value;
  if (config?.subscribedEvents.length === 0) {
    return 'The partner is not subscribed to any event type.';
  }
  if (config?.webhookUrl === null) return 'The partner has no webhook URL yet.';
  return 'No subscribed event has been raised yet.';
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
    async run(values) {
      const result = await control<Delivery | NotDelivered>('POST', '/events', {
        eventType: values.eventType,
        partnerId: partner.value?.id,
        resourceId: values.resourceId || undefined,
      });
      if ('delivered' in result) throw new Error(`Nothing was sent: ${result.cause}.`);
      go('webhooks', result.id);
    },
  });
}
