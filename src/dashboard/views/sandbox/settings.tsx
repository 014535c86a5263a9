import { withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { Partner, Settings } from '../../data/response-types.ts';
import { info, partner, partners, settings } from '../../data/store.ts';
import { Secret } from '../../ui/copy.tsx';
import { openForm } from '../../ui/form.tsx';
import { dateTime } from '../../ui/format.ts';
import { Button, Facts, Loading, Page, Section } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import type { View } from '../../ui/view.ts';
import { AccessSettings } from './access.tsx';
import { changedOptions } from './changed-options.ts';

export const settingsView: View = {
  name: 'settings',
  title: 'Settings',
  icon: 'settings',
  key: 's',
  Page: SettingsPage,
};

function SettingsPage() {
  const current = partner.value;
  const saved = settings.data.value;
  // All at once, so that no section moves another one when it arrives.
  return (
    <Page
      title="Settings"
      tally={current?.name}
      lead="Settings of the selected partner. Changes apply to the next request."
    >
      {current !== null && saved !== null && info.data.value !== null ? (
        <Sections partner={current} saved={saved} options={info.data.value.options} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

interface SectionsProps {
  readonly partner: Partner;
  readonly saved: Settings;
  readonly options: Readonly<Record<string, unknown>>;
}

function Sections({ partner: current, saved, options }: SectionsProps) {
  const changed = changedOptions(options);
  return (
    <>
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
      <AccessSettings saved={saved} />
      <Section title="Options" note="What this sandbox was started with, where it differs from the defaults.">
        {changed.length === 0 ? (
          <p class="nothing">All options have their defaults.</p>
        ) : (
          <Facts of={changed} />
        )}
      </Section>
    </>
  );
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
