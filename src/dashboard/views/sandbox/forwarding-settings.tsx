import { withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { Forwarding } from '../../data/response-types.ts';
import { forwarding, webhookConfig } from '../../data/store.ts';
import { Input } from '../../ui/input.tsx';
import { Button, Section } from '../../ui/panel.tsx';
import { editing } from './drafts.ts';
import { SettingsForm } from './settings-form.tsx';

/** The form for the forwarding of all webhooks of the world. */
export function ForwardingSettings() {
  const inForce = forwarding.data.value;
  return (
    <Section
      title="Webhook forwarding"
      note="Applies to all partners of this world from the next attempt on, across resets."
      actions={
        <Button icon="again" onClick={restore}>
          Back to start
        </Button>
      }
    >
      {inForce !== null && <ForwardingForm inForce={inForce} />}
    </Section>
  );
}

function ForwardingForm({ inForce: { url, map, allowHttp } }: { readonly inForce: Forwarding }) {
  const form = editing('forwarding', { url: url ?? '', allowHttp });
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

function restore(): void {
  void withToast('Webhooks are forwarded as at the start', async () => {
    await control('DELETE', '/forwarding');
    await Promise.all([forwarding.load(), webhookConfig.load()]);
  });
}
