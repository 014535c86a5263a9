import { Badge, Method, StatusCode } from '../ui/badge.tsx';
import { Json } from '../ui/json.tsx';
import { RuleNote } from '../views/traffic/requests.tsx';
import type { WireEntry } from './stage.ts';

interface WireProps {
  readonly entries: readonly WireEntry[];
  /** Members of the answers that stand out. */
  readonly marked: readonly string[];
}

/** The traffic of a step: every request with its answer, the rule behind a refusal, the events it raised. */
export function Wire({ entries, marked }: WireProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <section class="wire-side" aria-label="Wire traffic" tabIndex={0}>
      {entries.length === 0 && (
        <div class="wire-empty">
          <p>The wire traffic of each step shows up here.</p>
          <p>
            <kbd>→</kbd> next step <kbd>←</kbd> back <kbd>r</kbd> restart <kbd>Esc</kbd> leave
          </p>
        </div>
      )}
      {entries.map((entry, index) => (
        <Entry
          key={`${entry.exchange.path} ${index}`}
          entry={entry}
          marked={marked}
          isMain={index === entries.length - 1}
        />
      ))}
    </section>
  );
}

interface EntryProps {
  readonly entry: WireEntry;
  readonly marked: readonly string[];
  /** Whether this is what the step is about; what leads up to it is folded. */
  readonly isMain: boolean;
}

function Entry({ entry: { plane, exchange, rule, events }, marked, isMain }: EntryProps) {
  return (
    <details class={`wire-entry ${plane === 'control' ? 'simulated' : ''}`} open={isMain}>
      <summary>
        <h2 class="wire">
          <Method name={exchange.method} /> <span>{exchange.path}</span>
        </h2>
        <span class="wire-plane">
          {plane === 'control' && 'simulated world'} {!isMain && <StatusCode status={exchange.status} />}
        </span>
      </summary>
      {exchange.requestBody !== undefined && (
        <pre class="wire-request">
          <Json text={JSON.stringify(exchange.requestBody)} />
        </pre>
      )}
      <div class="wire-answer">
        <StatusCode status={exchange.status} />
        {rule !== null && <RuleNote rule={rule} />}
      </div>
      {exchange.responseBody !== null && (
        <pre>
          <Json text={JSON.stringify(exchange.responseBody)} marked={marked} />
        </pre>
      )}
      {events.length > 0 && (
        <ul class="wire-events" aria-label="Events raised">
          {events.map(({ id, eventType }) => (
            <li key={id}>
              <Badge state="in_flight" label={eventType} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
