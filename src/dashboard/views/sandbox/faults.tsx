import { withToast } from '../../data/actions.ts';
import type { Fault, WebhookFault } from '../../data/response-types.ts';
import { faults, webhookFaults } from '../../data/store.ts';
import { API_FAULTS, changeFaults, openFaultForm, removeFaults, WEBHOOK_FAULTS } from '../../forms/faults.ts';
import { count, duration, readable } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Button, Page, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { API_PRESETS, FORGED_PRESETS, HEALTHY_PRESETS, type Preset } from './fault-presets.ts';

export const faultsView: View = { name: 'faults', title: 'Faults', icon: 'fault', key: 'f', Page: Faults };

function Faults() {
  return (
    <Page
      title="Faults"
      lead="Simulated failures, on demand and repeatable. Those of the API act after authentication; the header X-Sandbox-Fault sets one for a single request."
      actions={
        <Button icon="plus" tone="primary" onClick={openFaultForm}>
          Set a fault
        </Button>
      }
    >
      <CurrentFaults />
      <Presets title="API" path={API_FAULTS} presets={API_PRESETS} />
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
              void withToast(`Fault set: ${preset.note}`, () => changeFaults('POST', path, preset.body))
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

/** The faults that are set, and how often each has acted. */
function CurrentFaults() {
  const problem = faults.error.value ?? webhookFaults.error.value;
  const rows = [
    ...(faults.data.value ?? []).map(fault => ({ fault, text: describeFault(fault) })),
    ...(webhookFaults.data.value ?? []).map(fault => ({ fault, text: describeWebhookFault(fault) })),
  ];
  return (
    <Section
      title="Set now"
      actions={
        rows.length > 0 && (
          <Button
            onClick={() =>
              removeFaults(
                'Faults cleared',
                rows.map(({ fault }) => fault),
              )
            }
          >
            Clear all
          </Button>
        )
      }
    >
      {problem !== null && <p class="problem">{problem}</p>}
      {rows.length === 0 && <p class="nothing">None. The sandbox behaves as it should.</p>}
      <ul class="faults">
        {rows.map(({ fault, text }) => (
          <li key={fault.id} class={isSpent(fault) ? 'spent' : ''}>
            <Icon name={isSpent(fault) ? 'check' : 'fault'} />
            <span class="fault-text">{text}</span>
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove ${text}`}
              onClick={() => removeFaults('Fault removed', [fault])}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Whether a fault has acted as often as it was to. */
function isSpent({ times, hits }: Fault | WebhookFault): boolean {
  return times != null && hits >= times;
}

function describeFault({ status, drop, body, delayMs, method, path, when, after, ...fault }: Fault): string {
  return joinParts(
    status !== undefined && `status ${status}`,
    drop && 'connection dropped',
    body !== undefined && 'custom body',
    delayMs !== undefined && `${delay(delayMs)} late`,
    (method || path) && `on ${[method, path].filter(Boolean).join(' ')}`,
    when === 'after' && 'after the request is processed',
    after > 0 && `skips ${count(after, 'request')}`,
    frequency(fault),
  );
}

function describeWebhookFault({ kind, delayMs, eventType, ...fault }: WebhookFault): string {
  return joinParts(
    `webhook: ${readable(kind)}`,
    delayMs !== null && `${delay(delayMs)} late`,
    eventType !== null && `on ${eventType}`,
    frequency(fault),
  );
}

/** A delay as it was set: `50 ms`, `2 s`. */
function delay(ms: number): string {
  return ms < 1_000 || ms % 1_000 > 0 ? `${ms.toLocaleString('en')} ms` : duration(ms);
}

function frequency({ times, hits }: { readonly times?: number | null; readonly hits: number }): string {
  if (!times) return `until removed, ${hits} so far`;
  return hits >= times ? `used up after ${count(times, 'time')}` : `${count(times, 'time')}, ${hits} so far`;
}

function joinParts(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}
