import { withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import { useReading } from '../../data/readings.ts';
import type { Fault, WebhookFault } from '../../data/response-types.ts';
import { faults, webhookFaults } from '../../data/store.ts';
import { API_FAULTS, openFaultForm, removeFaults, timesLeft, WEBHOOK_FAULTS } from '../../forms/faults.ts';
import { Button } from '../../ui/button.tsx';
import { count, duration, readable } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Page, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { API_PRESETS, FORGED_PRESETS, HEALTHY_PRESETS, type Preset } from './fault-presets.ts';

export const faultsView: View = { name: 'faults', title: 'Faults', icon: 'fault', key: 'f', Page: Faults };

function Faults() {
  return (
    <Page
      title="Faults"
      lead="Simulated failures, on demand and repeatable. Those of the API act after authentication; the header X-Sandbox-Fault sets one for a single request."
      actions={
        <Button icon="plus" kind="primary" onClick={openFaultForm}>
          Set a fault
        </Button>
      }
    >
      <CurrentFaults />
      <Presets
        title="API"
        note="A browser may repeat a request whose connection is dropped, a POST too: with Lost response, a click here can act twice."
        path={API_FAULTS}
        presets={API_PRESETS}
      />
      <Presets
        title="Webhooks that a healthy service sends"
        note="Your receiver handles each of them."
        path={WEBHOOK_FAULTS}
        presets={HEALTHY_PRESETS}
      />
      <Presets
        title="Forged webhooks"
        note="Your receiver refuses each of them."
        path={WEBHOOK_FAULTS}
        presets={FORGED_PRESETS}
      />
    </Page>
  );
}

interface PresetsProps {
  readonly title: string;
  readonly note?: string;
  readonly path: string;
  readonly presets: readonly Preset[];
}

function Presets({ title, note, path, presets }: PresetsProps) {
  return (
    <Section title={title} note={note}>
      <div class="presets">
        {presets.map(preset => (
          <button
            key={preset.title}
            type="button"
            class="preset"
            onClick={() =>
              void withToast(`Fault set: ${preset.note}`, () => control('POST', path, preset.body))
            }
          >
            <b>{preset.title}</b>
            <span>{preset.note}</span>
          </button>
        ))}
      </div>
    </Section>
  );
}

function CurrentFaults() {
  useReading(faults);
  useReading(webhookFaults);
  const problem = faults.error.value ?? webhookFaults.error.value;
  const [api, webhooks] = [faults.data.value, webhookFaults.data.value];
  const all = [...(api ?? []), ...(webhooks ?? [])];
  const none = api && webhooks ? 'None. The sandbox behaves as it should.' : '…';
  return (
    <Section
      title="Set now"
      actions={
        all.length > 0 && <Button onClick={() => removeFaults('Faults cleared', all)}>Clear all</Button>
      }
    >
      {problem !== null && <p class="problem">{problem}</p>}
      {all.length === 0 && <p class="nothing">{none}</p>}
      <ul class="faults">
        {all.map(fault => (
          <FaultItem key={fault.id} fault={fault} />
        ))}
      </ul>
    </Section>
  );
}

function FaultItem({ fault }: { readonly fault: Fault | WebhookFault }) {
  const text = describe(fault);
  const isSpent = timesLeft(fault) === 0;
  return (
    <li class={isSpent ? 'spent' : ''}>
      <Icon name={isSpent ? 'check' : 'fault'} />
      <span class="fault-text">{text}</span>
      <Button icon="close" label={`Remove ${text}`} onClick={() => removeFaults('Fault removed', [fault])} />
    </li>
  );
}

function describe(fault: Fault | WebhookFault): string {
  const { delayMs, times, hits } = fault;
  const late = delayMs != null && `${delay(delayMs)} late`;
  const parts =
    'kind' in fault
      ? [`webhook: ${readable(fault.kind)}`, late, fault.eventType !== null && `on ${fault.eventType}`]
      : [
          fault.status !== undefined && `status ${fault.status}`,
          fault.drop && 'connection dropped',
          fault.body !== undefined && 'custom body',
          late,
          (fault.method || fault.path) && `on ${[fault.method, fault.path].filter(Boolean).join(' ')}`,
          fault.when === 'after' && 'after the request is processed',
          fault.after > 0 && `skips ${count(fault.after, 'request')}`,
        ];
  return [...parts, frequency(times ?? null, hits)].filter(Boolean).join(' · ');
}

/** A delay as it was set: `50 ms`, `2 s`. */
function delay(ms: number): string {
  return ms < 1_000 || ms % 1_000 > 0 ? `${ms.toLocaleString('en')} ms` : duration(ms);
}

function frequency(times: number | null, hits: number): string {
  if (times === null) return `until removed, ${hits} so far`;
  return hits >= times ? `used up after ${count(times, 'time')}` : `${count(times, 'time')}, ${hits} so far`;
}
