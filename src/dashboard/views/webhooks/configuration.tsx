import { useReading } from '../../data/readings.ts';
import { forwarding, webhookConfig } from '../../data/store.ts';
import { openForwardingForm, openWebhooksForm, restoreForwarding } from '../../forms/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Secret } from '../../ui/copy.tsx';
import { Facts, Loading, Page, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { WEBHOOK_TABS } from '../tabs.ts';

export const webhookSettingsView: View = {
  name: 'webhook-settings',
  title: 'Webhooks',
  icon: 'webhook',
  tabs: WEBHOOK_TABS,
  Page: Configuration,
};

function Configuration() {
  useReading(forwarding);
  useReading(webhookConfig);
  const [config, forwarded] = [webhookConfig.data.value, forwarding.data.value];
  // Both at once, so that none moves the other.
  return (
    <Page title="Webhooks" tabs={WEBHOOK_TABS}>
      {config === null || forwarded === null ? (
        <Loading problem={webhookConfig.error.value ?? forwarding.error.value} />
      ) : (
        <>
          <Section
            title="Configuration"
            note="Where the events of the selected partner are sent, the secret that signs them, and the subscribed event types."
            actions={<Button onClick={() => openWebhooksForm(config)}>Edit configuration</Button>}
          >
            <Facts
              of={[
                ['URL', config.webhookUrl && <code key="url">{config.webhookUrl}</code>],
                [
                  'Signing secret',
                  config.webhookSecret && (
                    <Secret key={config.webhookSecret} value={config.webhookSecret} name="signing secret" />
                  ),
                ],
                ['Subscribed events', config.subscribedEvents.join(', ')],
              ]}
            />
          </Section>
          <Section
            title="Forwarding"
            note="Applies to all partners of this world from the next attempt on, across resets."
            actions={
              <>
                <Button icon="again" onClick={() => restoreForwarding(forwarded)}>
                  Use default
                </Button>
                <Button onClick={() => openForwardingForm(forwarded)}>Edit forwarding</Button>
              </>
            }
          >
            <Facts
              of={[
                ['Forwarded to', forwarded.url && <code key="url">{forwarded.url}</code>],
                ...Object.entries(forwarded.map).map(([from, to]) => [`From ${from}`, `to ${to}`] as const),
                [
                  'http:// URLs',
                  forwarded.allowHttp ? 'accepted in configurations' : 'refused in configurations',
                ],
              ]}
            />
          </Section>
        </>
      )}
    </Page>
  );
}
