import { useEffect } from 'preact/hooks';
import { withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { Partner, Settings } from '../../data/response-types.ts';
import { forwarding, info, partner, partners, settings, webhookConfig } from '../../data/store.ts';
import { route } from '../../route.ts';
import { Secret } from '../../ui/copy.tsx';
import { openForm } from '../../ui/form.tsx';
import { dateTime } from '../../ui/format.ts';
import { Button, Facts, Loading, Page, Section } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import type { View } from '../../ui/view.ts';
import { AccessSettings } from './access-settings.tsx';
import { hasDrafts } from './settings-form.tsx';
import { ForwardingSettings, WebhookSettings } from './webhook-settings.tsx';

export const settingsView: View = {
  name: 'settings',
  title: 'Settings',
  icon: 'settings',
  group: 'Sandbox',
  key: 's',
  Page: SettingsPage,
  MenuCount: UnsavedMark,
};

function UnsavedMark() {
  return hasDrafts.value ? <span class="menu-mark">not saved</span> : null;
}

function SettingsPage() {
  const current = partner.value;
  const saved = settings.data.value;
  // All at once, so that no section moves another one when it arrives.
  const isLoaded = webhookConfig.data.value !== null && forwarding.data.value !== null;

  useEffect(
    () => () => {
      if (hasDrafts.value) toast('bad', 'Settings are not saved. They are kept until you close this tab.');
    },
    [],
  );

  return (
    <Page
      title="Settings"
      actions={<span class="tally">{current?.name}</span>}
      lead="Settings of the selected partner. Changes apply to the next request."
    >
      {current !== null && saved !== null && isLoaded ? (
        <Sections partner={current} saved={saved} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

interface SectionsProps {
  readonly partner: Partner;
  readonly saved: Settings;
}

function Sections({ partner: current, saved }: SectionsProps) {
  const { id } = route.value;
  useEffect(() => {
    if (id !== null) document.getElementById(`setting-${id}`)?.scrollIntoView({ block: 'start' });
  }, [id]);
  return (
    <>
      <Section
        id="setting-key"
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
      <AccessSettings saved={saved} />
      <WebhookSettings />
      <ForwardingSettings />
      <Section title="This sandbox" note="The options that it was started with.">
        <Facts
          of={Object.entries(info.data.value?.options ?? {}).map(([name, value]) => [
            name,
            optionText(value),
          ])}
        />
      </Section>
    </>
  );
}

function optionText(value: unknown): string {
  if (value === null) return 'not set';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function openRotationForm(): void {
  openForm({
    title: 'Rotate the API key',
    submit: 'Rotate key',
    fields: () => [
      {
        name: 'gracePeriod',
        label: 'Grace period of the old key',
        initial: '24h',
        hint: 'A duration such as 90s, 30m or 24h.',
      },
    ],
    run: ({ gracePeriod }) =>
      withToast('API key rotated', async () => {
        const { previousKeyValidUntil } = await control<{ previousKeyValidUntil: string }>(
          'POST',
          `/partners/${partner.value?.id}/keys/rotate`,
          { gracePeriod },
        );
        await partners.load();
        toast('good', `The old key is valid until ${dateTime(previousKeyValidUntil)}`);
      }),
  });
}
