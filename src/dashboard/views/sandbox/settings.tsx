import { type Signal, useSignal } from '@preact/signals';
import { moment } from '../../ui/format.ts';
import { attempt } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { Settings } from '../../data/response-types.ts';
import { info, partner, partners, settings } from '../../data/store.ts';
import { Secret } from '../../ui/copy.tsx';
import { ask, type Field, Input } from '../../ui/form.tsx';
import { Button, Facts, Section } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { WebhookSettings } from './webhook-settings.tsx';

/** What the partner sets in the service's own dashboard, and what the sandbox was started with. */
export function SettingsPage() {
  const current = partner.value;
  const set = settings.value.value;
  return (
    <div class="page">
      <header class="view-head">
        <h1>Settings</h1>
        <span class="tally">{current?.name}</span>
      </header>
      <p class="lead">They are the partner’s own, and hold for the next request.</p>
      {current !== null && (
        <Section
          title="API key"
          note="Rotation issues a new key; the old one works on for a grace period."
          actions={
            <Button icon="again" onClick={askForRotation}>
              Rotate key
            </Button>
          }
        >
          <Secret key={current.apiKey} value={current.apiKey} name="API key" />
        </Section>
      )}
      {set !== null && <AccessSettings key={`${current?.id} ${JSON.stringify(set)}`} set={set} />}
      <WebhookSettings />
      <Section title="This sandbox" note="What it was started with.">
        <Facts
          of={Object.entries(info.value.value?.options ?? {}).map(([name, value]) => [name, shown(value)])}
        />
      </Section>
    </div>
  );
}

function shown(value: unknown): string {
  if (value === null) return 'not set';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const IP_FIELD: Field = {
  name: 'ipAllowList',
  label: 'IP allow-list',
  kind: 'area',
  isOptional: true,
  hint: 'An address, a range such as 203.0.113.0/24, or localhost on each line. Empty allows all.',
};
const ORIGIN_FIELD: Field = {
  name: 'allowedOrigins',
  label: 'Allowed origins',
  kind: 'area',
  isOptional: true,
  hint: 'With the scheme, one on each line. Empty allows all.',
};
const RATE_FIELD: Field = {
  name: 'rateLimitPerMinute',
  label: 'Requests per minute',
  kind: 'number',
  hint: '0 switches the limit off.',
};
const LOW_FIELD: Field = {
  name: 'lowThreshold',
  label: 'Low balance below',
  kind: 'number',
  hint: 'Checked daily, sends balance.low.',
};
const ALERT_FIELD: Field = {
  name: 'alertThreshold',
  label: 'Alert below',
  kind: 'number',
  hint: 'Sends balance.alert, once a crossing.',
};

interface FieldsProps {
  readonly of: readonly (readonly [Signal<string>, Field])[];
  readonly isSmall?: boolean;
}

function Fields({ of, isSmall = false }: FieldsProps) {
  return (
    <div class={`fields ${isSmall ? 'small' : ''}`}>
      {of.map(([text, field]) => (
        <Input
          key={field.name}
          field={field}
          value={text.value}
          onInput={value => {
            text.value = value;
          }}
        />
      ))}
    </div>
  );
}

function AccessSettings({ set }: { readonly set: Settings }) {
  const ips = useSignal(set.ipAllowList.join('\n'));
  const origins = useSignal(set.allowedOrigins.join('\n'));
  const rate = useSignal(String(set.rateLimitPerMinute));
  const low = useSignal(String(set.lowThreshold));
  const alert = useSignal(String(set.alertThreshold));
  const problem = useSignal<string | null>(null);

  async function save(event: Event) {
    event.preventDefault();
    problem.value = null;
    try {
      settings.value.value = await control<Settings>('PATCH', `/partners/${partner.value?.id}/settings`, {
        ipAllowList: linesOf(ips.value),
        allowedOrigins: linesOf(origins.value),
        rateLimitPerMinute: Number(rate.value),
        lowThreshold: Number(low.value),
        alertThreshold: Number(alert.value),
      });
      toast('good', 'The settings are saved');
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  }

  return (
    <Section title="Access and limits">
      <form class="settings-form" onSubmit={save}>
        <Fields
          of={[
            [ips, IP_FIELD],
            [origins, ORIGIN_FIELD],
          ]}
        />
        <Fields
          isSmall
          of={[
            [rate, RATE_FIELD],
            [low, LOW_FIELD],
            [alert, ALERT_FIELD],
          ]}
        />
        {problem.value !== null && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <button type="submit" class="button primary">
          Save settings
        </button>
      </form>
    </Section>
  );
}

function linesOf(text: string): string[] {
  return text.split(/[\n,]/).flatMap(line => (line.trim() === '' ? [] : [line.trim()]));
}

function askForRotation(): void {
  ask({
    title: 'Rotate the API key',
    submit: 'Rotate key',
    fields: () => [
      {
        name: 'gracePeriod',
        label: 'The old key works for',
        initial: '24h',
        hint: 'A duration such as 90s, 30m or 24h.',
      },
    ],
    run: ({ gracePeriod }) =>
      attempt('The key is rotated', async () => {
        const answer = await control<{ previousKeyValidUntil: string }>(
          'POST',
          `/partners/${partner.value?.id}/keys/rotate`,
          { gracePeriod },
        );
        await partners.load();
        toast('good', `The old key works until ${moment(answer.previousKeyValidUntil)}`);
      }),
  });
}
