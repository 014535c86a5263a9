import { useReading } from '../../data/readings.ts';
import { info, partner, settings } from '../../data/store.ts';
import { openAccessForm, openRotationForm } from '../../forms/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Secret } from '../../ui/copy.tsx';
import { Facts, Loading, Page, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { changedOptions } from './changed-options.ts';

export const settingsView: View = {
  name: 'settings',
  title: 'Settings',
  icon: 'settings',
  key: 's',
  Page: SettingsPage,
};

function SettingsPage() {
  useReading(settings);
  const [current, saved, sandbox] = [partner.value, settings.data.value, info.data.value];
  // All at once, so that no section moves another one when it arrives.
  if (current === null || saved === null || sandbox === null)
    return (
      <Page title="Settings">
        <Loading problem={settings.error.value} />
      </Page>
    );
  const changed = changedOptions(sandbox.options);
  const limit = saved.rateLimitPerMinute;
  return (
    <Page
      title="Settings"
      tally={current.name}
      lead="Settings of the selected partner. Changes apply to the next request."
    >
      <Section
        title="API key"
        note="Rotation issues a new key. The old one stays valid for a grace period."
        actions={
          <Button icon="again" onClick={openRotationForm}>
            Rotate key
          </Button>
        }
      >
        <Secret key={current.apiKey} value={current.apiKey} name="API key" />
      </Section>
      <Section
        title="Access and limits"
        actions={<Button onClick={() => openAccessForm(saved)}>Edit settings</Button>}
      >
        <Facts
          of={[
            ['IP allow-list', saved.ipAllowList.join(', ') || 'all addresses'],
            ['Allowed origins', saved.allowedOrigins.join(', ') || 'all origins'],
            ['Requests per minute', limit === 0 ? 'no limit' : limit.toLocaleString('en')],
            ['Low balance below', saved.lowThreshold.toLocaleString('en')],
            ['Alert below', saved.alertThreshold.toLocaleString('en')],
          ]}
        />
      </Section>
      <Section title="Options" note="What this sandbox was started with, where it differs from the defaults.">
        {changed.length === 0 && <p class="nothing">All options have their defaults.</p>}
        <Facts of={changed} />
      </Section>
    </Page>
  );
}
