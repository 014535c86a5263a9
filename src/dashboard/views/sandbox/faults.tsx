import { change, withToast } from '../../data/actions.ts';
import type { Collection } from '../../data/collection.ts';
import type { Fault, WebhookFault } from '../../data/response-types.ts';
import { faults, webhookFaults } from '../../data/store.ts';
import { openForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { API_FORM, WEBHOOK_FORM } from './fault-forms.ts';
import { API_PRESETS, type Preset, WEBHOOK_PRESETS } from './fault-presets.ts';
import { describeFault, describeWebhookFault } from './fault-texts.ts';

/** Faults of the API and of outgoing webhooks. */
export const faultsView: View = {
  name: 'faults',
  title: 'Faults',
  icon: 'fault',
  group: 'Sandbox',
  key: 'f',
  Page: Faults,
};

function Faults() {
  return (
    <div class="page">
      <header class="view-head">
        <h1>Faults</h1>
      </header>
      <p class="lead">Simulated failures, on demand and repeatable. They act after authentication.</p>
      <Section
        title="API"
        note="The journal records the requests that a fault acts on. The header X-Sandbox-Fault sets one for a single request."
        actions={<Actions rows={faults} path="/faults" openCustom={() => openForm(API_FORM)} />}
      >
        <Presets rows={faults} path="/faults" presets={API_PRESETS} />
        <FaultList rows={faults} describe={describeFault} remove={removeFault} />
      </Section>
      <Section
        title="Outgoing webhooks"
        note="They show whether your receiver is idempotent and verifies the signature and its age."
        actions={
          <Actions rows={webhookFaults} path="/webhook-faults" openCustom={() => openForm(WEBHOOK_FORM)} />
        }
      >
        <Presets rows={webhookFaults} path="/webhook-faults" presets={WEBHOOK_PRESETS} />
        <FaultList rows={webhookFaults} describe={describeWebhookFault} />
      </Section>
    </div>
  );
}

interface FaultsProps<T> {
  readonly rows: Collection<T>;
  /** Path of the faults in the control plane. */
  readonly path: string;
}

interface ActionsProps<T> extends FaultsProps<T> {
  readonly openCustom: () => void;
}

function Actions<T>({ rows, path, openCustom }: ActionsProps<T>) {
  const hasFaults = (rows.rows.value ?? []).length > 0;
  return (
    <>
      {hasFaults && (
        <Button onClick={() => void withToast('Faults cleared', () => change([rows], 'DELETE', path))}>
          Clear all
        </Button>
      )}
      <Button icon="plus" onClick={openCustom}>
        Custom
      </Button>
    </>
  );
}

interface PresetsProps<T> extends FaultsProps<T> {
  readonly presets: readonly Preset[];
}

function Presets<T>({ rows, path, presets }: PresetsProps<T>) {
  return (
    <div class="presets">
      {presets.map(({ title, note, body }) => (
        <button
          key={title}
          type="button"
          class="preset"
          onClick={() => void withToast(`Fault set: ${note}`, () => change([rows], 'POST', path, body))}
        >
          <b>{title}</b>
          <span>{note}</span>
        </button>
      ))}
    </div>
  );
}

interface FaultListProps<T> {
  readonly rows: Collection<T>;
  readonly describe: (fault: T) => string;
  /** Removes a single fault. Webhook faults can only be cleared together. */
  readonly remove?: (id: string) => void;
}

function FaultList<T extends Fault | WebhookFault>({ rows, describe, remove }: FaultListProps<T>) {
  return (
    <>
      {rows.error.value !== null && <p class="problem">{rows.error.value}</p>}
      <ul class="faults">
        {rows.rows.value?.map(fault => (
          <li key={fault.id}>
            <Icon name="fault" />
            <span class="fault-text">{describe(fault)}</span>
            {remove !== undefined && (
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${describe(fault)}`}
                onClick={() => remove(fault.id)}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function removeFault(id: string): void {
  void withToast('Fault removed', () => change([faults], 'DELETE', `/faults/${id}`));
}
