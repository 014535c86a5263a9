import { EVENT_TYPES } from '../../../service/webhooks/event-types.ts';
import { randomText } from '../../browser/random.ts';
import { control } from '../../data/http.ts';
import type { WebhookConfig } from '../../data/response-types.ts';
import { partner, partnerQuery, webhookConfig } from '../../data/store.ts';
import { Input } from '../../ui/input.tsx';
import { Button, Section } from '../../ui/panel.tsx';
import { editing } from './drafts.ts';
import { SecretInput } from './secret-input.tsx';
import { SettingsForm } from './settings-form.tsx';

const SECRET_LENGTH = 24;

/** The form for the partner's webhook configuration. */
export function WebhookSettings() {
  const config = webhookConfig.data.value;
  return (
    <Section
      title="Webhooks"
      note="Where events are sent, the secret that signs them, and the subscribed event types."
    >
      {config !== null && <ConfigForm config={config} />}
    </Section>
  );
}

function ConfigForm({ config }: { readonly config: WebhookConfig }) {
  const form = editing(`webhooks of ${partner.value?.id}`, {
    url: config.webhookUrl ?? '',
    secret: config.webhookSecret ?? '',
    subscribed: EVENT_TYPES.filter(type => config.subscribedEvents.includes(type)),
  });
  const { url, secret, subscribed } = form.values;
  const isAll = subscribed.length === EVENT_TYPES.length;

  async function save() {
    const saved = await control<WebhookConfig>('PATCH', `/webhooks/config?${partnerQuery()}`, {
      webhookUrl: url.trim() === '' ? null : url.trim(),
      subscribedEvents: subscribed,
      ...(secret === '' ? {} : { webhookSecret: secret }),
    });
    webhookConfig.set(saved);
  }

  function toggle(type: string) {
    form.edit({ subscribed: EVENT_TYPES.filter(each => subscribed.includes(each) !== (each === type)) });
  }

  return (
    <SettingsForm form={form} noun="Webhooks" save={save}>
      <div class="fields">
        <Input
          field={{
            name: 'webhookUrl',
            label: 'URL',
            isOptional: true,
            hint: 'https, unless the sandbox allows http.',
          }}
          value={url}
          onInput={text => form.edit({ url: text })}
        />
        <div class="with-button">
          <SecretInput
            name="webhookSecret"
            label="Signing secret"
            hint="At least 16 characters."
            value={secret}
            onInput={text => form.edit({ secret: text })}
          />
          <Button onClick={() => form.edit({ secret: `whsec_${randomText(SECRET_LENGTH)}` })}>
            Generate
          </Button>
        </div>
      </div>
      <fieldset class="checks">
        <legend>Subscribed events</legend>
        <div class="check-all">
          <Button onClick={() => form.edit({ subscribed: isAll ? [] : [...EVENT_TYPES] })}>
            {isAll ? 'Select none' : 'Select all'}
          </Button>
        </div>
        {EVENT_TYPES.map(type => (
          <label key={type}>
            <input type="checkbox" checked={subscribed.includes(type)} onChange={() => toggle(type)} />
            {type}
          </label>
        ))}
      </fieldset>
    </SettingsForm>
  );
}
