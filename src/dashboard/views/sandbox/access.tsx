import { control } from '../../data/http.ts';
import type { Settings } from '../../data/response-types.ts';
import { partner, settings } from '../../data/store.ts';
import { type Field, Input } from '../../ui/form.tsx';
import { Section } from '../../ui/panel.tsx';
import { editValues, SettingsForm } from '../../ui/settings-form.tsx';

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
  { name: 'rateLimitPerMinute', label: 'Requests per minute', kind: 'number', hint: '0 disables the limit.' },
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

export function AccessSettings({ saved }: { readonly saved: Settings }) {
  const id = partner.value?.id;
  const form = editValues(`settings of ${id}`, textsOf(saved));
  const inputs = (fields: readonly SettingField[]) =>
    fields.map(field => (
      <Input
        key={field.name}
        field={field}
        value={form.values[field.name]}
        onInput={text => form.edit({ [field.name]: text })}
      />
    ));
  return (
    <Section title="Access and limits">
      <SettingsForm
        form={form}
        noun="Settings"
        save={async values => {
          settings.set(await control<Settings>('PATCH', `/partners/${id}/settings`, settingsIn(values)));
        }}
      >
        <div class="fields">{inputs(LIST_FIELDS)}</div>
        <div class="fields small">{inputs(NUMBER_FIELDS)}</div>
      </SettingsForm>
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

function settingsIn(values: Record<Name, string>): Settings {
  return {
    ipAllowList: linesOf(values.ipAllowList),
    allowedOrigins: linesOf(values.allowedOrigins),
    rateLimitPerMinute: Number(values.rateLimitPerMinute),
    lowThreshold: Number(values.lowThreshold),
    alertThreshold: Number(values.alertThreshold),
  };
}

function linesOf(text: string): string[] {
  return text.split(/[\n,]/).flatMap(line => (line.trim() === '' ? [] : [line.trim()]));
}
