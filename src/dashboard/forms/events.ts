import { EVENT_TYPES } from '../../service/webhooks/event-types.ts';
import { control } from '../data/http.ts';
import type { Delivery, NotDelivered } from '../data/response-types.ts';
import { partner } from '../data/store.ts';
import { go } from '../route.ts';
import { openForm } from '../ui/form.tsx';
import { plainChoices } from './values.ts';

/** Opens the form that triggers an event, whatever the state of the records. */
export function openEventForm(): void {
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
      go('deliveries', result.id);
    },
  });
}
