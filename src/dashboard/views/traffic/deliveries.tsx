import { distance } from '../../ui/format.ts';
import { sandboxNow } from '../../data/sandbox-time.ts';
import type { Delivery } from '../../data/response-types.ts';
import { deliveries, events, ownDeliveries, webhookConfig } from '../../data/store.ts';
import { EVENT_TYPES } from '../../forms/event-types.ts';
import { askForEvent } from '../../forms/cards.ts';
import { linkTo } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';
import { Browse, Gone } from '../../ui/browse.tsx';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import { momentColumn } from '../../ui/moment-column.tsx';
import { DeliveryDetail } from './delivery.tsx';

const STATES = ['pending', 'delivered', 'failed'] as const;

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: 'Event',
    width: 'minmax(0, 2fr)',
    cell: row => <TwoLines main={row.eventType} sub={<code>{row.resourceId}</code>} />,
  },
  { title: 'Status', width: '108px', cell: row => <Badge state={row.status} /> },
  { title: 'Attempts', width: '76px', isMinor: true, isNumber: true, cell: row => row.attemptCount },
  { title: 'Next', width: '108px', isMinor: true, cell: row => <NextRetry at={row.nextRetryAt} /> },
  momentColumn('Created', row => row.createdAt),
];

function NextRetry({ at }: { readonly at: string | null }) {
  if (at === null || sandboxNow.value === null) return <span class="nothing">–</span>;
  return <>{distance(at, sandboxNow.value)}</>;
}

/** The partner's webhook deliveries. */
export function Deliveries() {
  const trigger = (
    <Button icon="send" tone="primary" onClick={() => askForEvent(EVENT_TYPES)}>
      Trigger event
    </Button>
  );
  return (
    <Browse
      view="deliveries"
      title="Webhooks"
      noun="delivery"
      rows={ownDeliveries.value}
      error={deliveries.error.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      states={{ of: ({ status }) => status, all: STATES }}
      actions={trigger}
      empty={
        <Empty icon="webhook" title="No deliveries yet">
          <p>{whyNone()}</p>
          <a class="button" href={linkTo('settings')}>
            Webhook settings
          </a>
          {trigger}
        </Empty>
      }
      detail={id => {
        const row = deliveries.find(id);
        if (row !== undefined) return <DeliveryDetail row={row} />;
        const unsent = events.value.find(each => each.id === id);
        return unsent === undefined ? (
          <Gone noun="delivery" id={id} />
        ) : (
          <Empty icon="webhook" title={unsent.eventType}>
            <p>The partner does not subscribe to this type, so nothing was sent.</p>
            <a class="button" href={linkTo('settings')}>
              Webhook settings
            </a>
          </Empty>
        );
      }}
    />
  );
}

function whyNone(): string {
  const config = webhookConfig.value.value;
  if (config?.subscribedEvents.length === 0) {
    return 'The partner subscribes to no event type. Subscribe to some, and whatever happens is delivered.';
  }
  if (config?.webhookUrl === null) return 'The partner has no webhook URL yet.';
  return 'Nothing has happened yet that the partner subscribes to.';
}
