import { useSignal } from '@preact/signals';
import { withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { Forwarding } from '../../data/response-types.ts';
import { forwarding, webhookConfig } from '../../data/store.ts';
import { Input } from '../../ui/input.tsx';
import { Button, Section } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';

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
      {inForce !== null && <ForwardingForm key={JSON.stringify(inForce)} inForce={inForce} />}
    </Section>
  );
}

function ForwardingForm({ inForce: { url, map, allowHttp } }: { readonly inForce: Forwarding }) {
  const text = useSignal(url ?? '');
  const allowsHttp = useSignal(allowHttp);
  const problem = useSignal<string | null>(null);

  async function save(event: Event) {
    event.preventDefault();
    problem.value = null;
    try {
      const trimmed = text.value.trim();
      const change = { url: trimmed === '' ? null : trimmed, map, allowHttp: allowsHttp.value };
      forwarding.set(await control<Forwarding>('PUT', '/forwarding', change));
      await webhookConfig.load();
      toast('good', 'Forwarding saved');
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  }

  return (
    <form class="settings-form" onSubmit={save}>
      <div class="fields">
        <Input
          field={{
            name: 'forwardingUrl',
            label: 'Forward to',
            isOptional: true,
            hint: 'Receives every webhook instead of the configured URLs. http is allowed.',
          }}
          value={text.value}
          onInput={value => {
            text.value = value;
          }}
        />
      </div>
      <fieldset class="checks">
        <legend>Webhook URLs of partners</legend>
        <label>
          <input
            type="checkbox"
            checked={allowsHttp.value}
            onChange={() => {
              allowsHttp.value = !allowsHttp.value;
            }}
          />
          Allow http:// URLs
        </label>
      </fieldset>
      {problem.value !== null && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <button type="submit" class="button primary">
        Save forwarding
      </button>
    </form>
  );
}

function restore(): void {
  void withToast('Webhooks are forwarded as at the start', async () => {
    await control('DELETE', '/forwarding');
    await Promise.all([forwarding.load(), webhookConfig.load()]);
  });
}
