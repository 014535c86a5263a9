import { change, withToast } from '../../data/actions.ts';
import type { CachedValue } from '../../data/cached-value.ts';
import type { Fault, WebhookFault } from '../../data/response-types.ts';
import { faults, webhookFaults } from '../../data/store.ts';
import { type Form, openForm } from '../../ui/form.tsx';
import { count, duration, readable } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Button, Page, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { API_FORM, API_PRESETS, type Preset, WEBHOOK_FORM, WEBHOOK_PRESETS } from './fault-inputs.ts';

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
    <Page title="Faults" lead="Simulated failures, on demand and repeatable. They act after authentication.">
      <FaultSection
        title="API"
        note="The journal records the requests that a fault acts on. The header X-Sandbox-Fault sets one for a single request."
        faults={faults}
        path="/faults"
        form={API_FORM}
        presets={API_PRESETS}
        describe={describeFault}
      />
      <FaultSection
        title="Outgoing webhooks"
        note="They show whether your receiver is idempotent and verifies the signature and its age."
        faults={webhookFaults}
        path="/webhook-faults"
        form={WEBHOOK_FORM}
        presets={WEBHOOK_PRESETS}
        describe={describeWebhookFault}
      />
    </Page>
  );
}

interface FaultSectionProps<T> {
  readonly title: string;
  readonly note: string;
  readonly faults: CachedValue<readonly T[]>;
  readonly path: string;
  readonly form: Form;
  readonly presets: readonly Preset[];
  readonly describe: (fault: T) => string;
}

function FaultSection<T extends Fault | WebhookFault>(props: FaultSectionProps<T>) {
  const { faults: copy, path, describe } = props;
  const rows = copy.data.value ?? [];
  const run = (success: string, method: string, at: string, body?: unknown) =>
    void withToast(success, () => change([copy], method, at, body));
  return (
    <Section
      title={props.title}
      note={props.note}
      actions={
        <>
          {rows.length > 0 && (
            <Button onClick={() => run('Faults cleared', 'DELETE', path)}>Clear all</Button>
          )}
          <Button icon="plus" onClick={() => openForm(props.form)}>
            Custom
          </Button>
        </>
      }
    >
      <div class="presets">
        {props.presets.map(({ title, note, body }) => (
          <button
            key={title}
            type="button"
            class="preset"
            onClick={() => run(`Fault set: ${note}`, 'POST', path, body)}
          >
            <b>{title}</b>
            <span>{note}</span>
          </button>
        ))}
      </div>
      {copy.error.value !== null && <p class="problem">{copy.error.value}</p>}
      <ul class="faults">
        {rows.map(fault => (
          <li key={fault.id} class={isSpent(fault) ? 'spent' : ''}>
            <Icon name={isSpent(fault) ? 'check' : 'fault'} />
            <span class="fault-text">{describe(fault)}</span>
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove ${describe(fault)}`}
              onClick={() => run('Fault removed', 'DELETE', `/faults/${fault.id}`)}
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
    delayMs !== undefined && `${duration(delayMs)} late`,
    (method || path) && `on ${[method, path].filter(Boolean).join(' ')}`,
    when === 'after' && 'after the request is processed',
    after > 0 && `skips ${count(after, 'request')}`,
    frequency(fault),
  );
}

function describeWebhookFault({ kind, delayMs, eventType, ...fault }: WebhookFault): string {
  return joinParts(
    readable(kind),
    delayMs !== null && `${duration(delayMs)} late`,
    eventType !== null && `on ${eventType}`,
    frequency(fault),
  );
}

function frequency({ times, hits }: { readonly times?: number | null; readonly hits: number }): string {
  if (!times) return `until removed, ${hits} so far`;
  return hits >= times ? `used up after ${count(times, 'time')}` : `${count(times, 'time')}, ${hits} so far`;
}

function joinParts(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}
