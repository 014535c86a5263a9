import { useSignal } from '@preact/signals';
import { EVENT_TYPES } from '../../../service/webhooks/event-types.ts';
import { randomText } from '../../browser.ts';
import { withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { Forwarding, WebhookConfig } from '../../data/response-types.ts';
import { forwarding, partner, partnerQuery, webhookConfig } from '../../data/store.ts';
import { Copy } from '../../ui/copy.tsx';
import { Input } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button, Loading, Page, Section } from '../../ui/panel.tsx';
import { editValues, SettingsForm } from '../../ui/settings-form.tsx';
import type { View } from '../../ui/view.ts';
import { WEBHOOK_TABS } from './tabs.ts';

const SECRET_LENGTH = 24;

export const webhookSettingsView: View = {
  name: 'webhook-settings',
  title: 'Webhooks',
  icon: 'webhook',
  tabs: WEBHOOK_TABS,
  Page: Configuration,
};

function Configuration() {
  const [config, saved] = [webhookConfig.data.value, forwarding.data.value];
  // Both at once, so that none moves the other.
  return (
    <Page title="Webhooks" tabs={WEBHOOK_TABS}>
      {config === null || saved === null ? (
        <Loading />
      ) : (
        <>
          <Section
            title="Configuration"
            note="Where the events of the selected partner are sent, the secret that signs them, and the subscribed event types."
          >
            <ConfigForm config={config} />
          </Section>
          <Section
            title="Forwarding"
            note="Applies to all partners of this world from the next attempt on, across resets."
            actions={
              <Button icon="again" onClick={restoreForwarding}>
                Use default
              </Button>
            }
          >
            <ForwardingForm saved={saved} />
          </Section>
        </>
      )}
    </Page>
  );
}

function ConfigForm({ config }: { readonly config: WebhookConfig }) {
  const form = editValues(`webhooks of ${partner.value?.id}`, {
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
          <SecretInput value={secret} onInput={text => form.edit({ secret: text })} />
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

interface SecretInputProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** The field for the signing secret, masked until the user shows it. It can be copied while it is masked. */
function SecretInput({ value, onInput }: SecretInputProps) {
  const isShown = useSignal(false);
  return (
    <div class="field">
      <label for="field-webhookSecret">
        Signing secret <span class="optional">optional</span>
      </label>
      <div class="secret-input">
        <input
          id="field-webhookSecret"
          name="webhookSecret"
          value={value}
          // The attribute types depend on the type. Both types take the attributes used here.
          type={(isShown.value ? 'text' : 'password') as 'text'}
          // Browsers fill in saved passwords unless the password is new.
          autocomplete="new-password"
          spellcheck={false}
          aria-describedby="hint-webhookSecret"
          onInput={event => onInput(event.currentTarget.value)}
        />
        <button
          type="button"
          class="icon-button"
          aria-label={`${isShown.value ? 'Hide' : 'Show'} signing secret`}
          aria-pressed={isShown.value}
          onClick={() => {
            isShown.value = !isShown.value;
          }}
        >
          <Icon name="eye" />
        </button>
        <Copy text={value} title="Copy signing secret" />
      </div>
      <p class="hint" id="hint-webhookSecret">
        At least 16 characters.
      </p>
    </div>
  );
}

function ForwardingForm({ saved: { url, map, allowHttp } }: { readonly saved: Forwarding }) {
  const form = editValues('forwarding', { url: url ?? '', allowHttp });
  const { values } = form;

  async function save() {
    const trimmed = values.url.trim();
    const change = { url: trimmed === '' ? null : trimmed, map, allowHttp: values.allowHttp };
    forwarding.set(await control<Forwarding>('PUT', '/forwarding', change));
    await webhookConfig.load();
  }

  return (
    <SettingsForm form={form} noun="Forwarding" save={save}>
      <div class="fields">
        <Input
          field={{
            name: 'forwardingUrl',
            label: 'Forward to',
            isOptional: true,
            hint: 'Receives every webhook instead of the configured URLs. http is allowed.',
          }}
          value={values.url}
          onInput={text => form.edit({ url: text })}
        />
      </div>
      <fieldset class="checks">
        <legend>Webhook URLs of partners</legend>
        <label>
          <input
            type="checkbox"
            checked={values.allowHttp}
            onChange={() => form.edit({ allowHttp: !values.allowHttp })}
          />
          Allow http:// URLs
        </label>
      </fieldset>
    </SettingsForm>
  );
}

function restoreForwarding(): void {
  void withToast('Webhooks are forwarded as at the start', async () => {
    await control('DELETE', '/forwarding');
    await Promise.all([forwarding.load(), webhookConfig.load()]);
  });
}
