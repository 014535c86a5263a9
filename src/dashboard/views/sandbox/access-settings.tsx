import { useSignal } from '@preact/signals';
import { control } from '../../data/http.ts';
import type { Settings } from '../../data/response-types.ts';
import { partner, settings } from '../../data/store.ts';
import type { Values } from '../../ui/form.tsx';
import { type Field, Input } from '../../ui/input.tsx';
import { Section } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';

type Name = keyof Settings;
type SettingField = Field & { readonly name: Name };

const LIST_FIELDS: readonly SettingField[] = [
  {
    name: 'ipAllowList',
    label: 'IP allow-list',
    kind: 'area',
    isOptional: true,
    hint: 'One address, range such as 203.0.113.0/24, or localhost per line. Empty allows all.',
  },
  {
    name: 'allowedOrigins',
    label: 'Allowed origins',
    kind: 'area',
    isOptional: true,
    hint: 'One per line, with the scheme. Empty allows all.',
  },
];
const NUMBER_FIELDS: readonly SettingField[] = [
  {
    name: 'rateLimitPerMinute',
    label: 'Requests per minute',
    kind: 'number',
    hint: '0 disables the limit.',
  },
  {
    name: 'lowThreshold',
    label: 'Low balance below',
    kind: 'number',
    hint: 'Checked daily, sends balance.low.',
  },
  {
    name: 'alertThreshold',
    label: 'Alert below',
    kind: 'number',
    hint: 'Sends balance.alert each time it is crossed.',
  },
];

/** The form for the partner's access rules, rate limit and balance thresholds. */
export function AccessSettings({ saved }: { readonly saved: Settings }) {
  const values = useSignal<Values>(textsOf(saved));
  const problem = useSignal<string | null>(null);

  async function save(event: Event) {
    event.preventDefault();
    problem.value = null;
    try {
      const path = `/partners/${partner.value?.id}/settings`;
      settings.set(await control<Settings>('PATCH', path, settingsIn(values.value)));
      toast('good', 'Settings saved');
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  }

  const inputs = (fields: readonly SettingField[]) =>
    fields.map(field => (
      <Input
        key={field.name}
        field={field}
        value={values.value[field.name] ?? ''}
        onInput={text => {
          values.value = { ...values.value, [field.name]: text };
        }}
      />
    ));
  return (
    <Section title="Access and limits">
      <form class="settings-form" onSubmit={save}>
        <div class="fields">{inputs(LIST_FIELDS)}</div>
        <div class="fields small">{inputs(NUMBER_FIELDS)}</div>
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

function textsOf(saved: Settings): Record<Name, string> {
  return {
    ipAllowList: saved.ipAllowList.join('\n'),
    allowedOrigins: saved.allowedOrigins.join('\n'),
    rateLimitPerMinute: String(saved.rateLimitPerMinute),
    lowThreshold: String(saved.lowThreshold),
    alertThreshold: String(saved.alertThreshold),
  };
}

function settingsIn(values: Values): Settings {
  return {
    ipAllowList: linesOf(values.ipAllowList),
    allowedOrigins: linesOf(values.allowedOrigins),
    rateLimitPerMinute: Number(values.rateLimitPerMinute),
    lowThreshold: Number(values.lowThreshold),
    alertThreshold: Number(values.alertThreshold),
  };
}

function linesOf(text = ''): string[] {
  return text.split(/[\n,]/).flatMap(line => (line.trim() === '' ? [] : [line.trim()]));
}
