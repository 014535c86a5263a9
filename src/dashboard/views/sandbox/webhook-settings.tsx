import { useSignal } from '@preact/signals';
import { EVENT_TYPES } from '../../../resources/webhooks/event-types.ts';
import { randomText } from '../../browser/random.ts';
import { control } from '../../data/http.ts';
import type { WebhookConfig } from '../../data/response-types.ts';
import { partner, partnerQuery, webhookConfig } from '../../data/store.ts';
import { Input } from '../../ui/input.tsx';
import { Button, Section } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';

const SECRET_LENGTH = 24;

/** The form for the partner's webhook configuration. */
export function WebhookSettings() {
  const config = webhookConfig.data.value;
  return (
    <Section
      title="Webhooks"
      note="Where events are sent, the secret that signs them, and the subscribed event types."
    >
      {config !== null && (
        <ConfigForm key={`${partner.value?.id} ${JSON.stringify(config)}`} config={config} />
      )}
    </Section>
  );
}

function ConfigForm({ config }: { readonly config: WebhookConfig }) {
  const url = useSignal(config.webhookUrl ?? '');
  const secret = useSignal(config.webhookSecret ?? '');
  const subscribed = useSignal<ReadonlySet<string>>(new Set(config.subscribedEvents));
  const problem = useSignal<string | null>(null);

  async function save(event: Event) {
    event.preventDefault();
    problem.value = null;
    try {
      const saved = await control<WebhookConfig>('PATCH', `/webhooks/config?${partnerQuery()}`, {
        webhookUrl: url.value.trim() === '' ? null : url.value.trim(),
        subscribedEvents: EVENT_TYPES.filter(each => subscribed.value.has(each)),
        ...(secret.value === '' ? {} : { webhookSecret: secret.value }),
      });
      webhookConfig.set(saved);
      toast('good', 'Webhook configuration saved');
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  }

  function toggle(type: string) {
    const next = new Set(subscribed.value);
    if (!next.delete(type)) next.add(type);
    subscribed.value = next;
  }

  return (
    <form class="settings-form" onSubmit={save}>
      <div class="fields">
        <Input
          field={{
            name: 'webhookUrl',
            label: 'URL',
            isOptional: true,
            hint: 'https, unless the sandbox allows http.',
          }}
          value={url.value}
          onInput={value => {
            url.value = value;
          }}
        />
        <div class="with-button">
          <Input
            field={{
              name: 'webhookSecret',
              label: 'Signing secret',
              isOptional: true,
              hint: 'At least 16 characters.',
            }}
            value={secret.value}
            onInput={value => {
              secret.value = value;
            }}
          />
          <Button
            onClick={() => {
              secret.value = `whsec_${randomText(SECRET_LENGTH)}`;
            }}
          >
            Generate
          </Button>
        </div>
      </div>
      <fieldset class="checks">
        <legend>Subscribed events</legend>
        <div class="check-all">
          <Button
            onClick={() => {
              subscribed.value = new Set(subscribed.value.size === EVENT_TYPES.length ? [] : EVENT_TYPES);
            }}
          >
            {subscribed.value.size === EVENT_TYPES.length ? 'Select none' : 'Select all'}
          </Button>
        </div>
        {EVENT_TYPES.map(type => (
          <label key={type}>
            <input type="checkbox" checked={subscribed.value.has(type)} onChange={() => toggle(type)} />
            {type}
          </label>
        ))}
      </fieldset>
      {problem.value !== null && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <button type="submit" class="button primary">
        Save webhooks
      </button>
    </form>
  );
}
