import { useSignal } from '@preact/signals';
import { ofPartner } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { WebhookConfig } from '../../data/response-types.ts';
import { partner, webhookConfig } from '../../data/store.ts';
import { EVENT_TYPES } from '../../forms/event-types.ts';
import { Input } from '../../ui/form.tsx';
import { Button, Section } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';

const SECRET_BYTES = 24;

/** The partner's webhook configuration. */
export function WebhookSettings() {
  const config = webhookConfig.value.value;
  return (
    <Section title="Webhooks" note="Where events go, signed with which secret, and which of them.">
      {config !== null && (
        <ConfigForm key={`${partner.value?.id} ${JSON.stringify(config)}`} config={config} />
      )}
    </Section>
  );
}

function ConfigForm({ config }: { readonly config: WebhookConfig }) {
  const url = useSignal(config.webhookUrl ?? '');
  const secret = useSignal(config.webhookSecret ?? '');
  const types = useSignal<ReadonlySet<string>>(new Set(config.subscribedEvents));
  const problem = useSignal<string | null>(null);

  async function save(event: Event) {
    event.preventDefault();
    problem.value = null;
    try {
      webhookConfig.value.value = await control<WebhookConfig>('PATCH', `/webhooks/config?${ofPartner()}`, {
        webhookUrl: url.value.trim() === '' ? null : url.value.trim(),
        subscribedEvents: EVENT_TYPES.filter(each => types.value.has(each)),
        ...(secret.value === '' ? {} : { webhookSecret: secret.value }),
      });
      toast('good', 'The webhook configuration is saved');
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  }

  function toggle(type: string) {
    const next = new Set(types.value);
    if (!next.delete(type)) next.add(type);
    types.value = next;
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
              secret.value = newSecret();
            }}
          >
            Make one up
          </Button>
        </div>
      </div>
      <fieldset class="checks">
        <legend>Subscribed events</legend>
        <div class="check-all">
          <Button
            onClick={() => {
              types.value = new Set(types.value.size === EVENT_TYPES.length ? [] : EVENT_TYPES);
            }}
          >
            {types.value.size === EVENT_TYPES.length ? 'None' : 'All twelve'}
          </Button>
        </div>
        {EVENT_TYPES.map(type => (
          <label key={type}>
            <input type="checkbox" checked={types.value.has(type)} onChange={() => toggle(type)} />
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

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${Array.from(bytes, byte => (byte % 36).toString(36)).join('')}`;
}
