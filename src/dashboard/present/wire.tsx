import { Badge, Method, StatusCode } from '../ui/badge.tsx';
import { Json } from '../ui/json.tsx';
import { RuleNote } from '../views/traffic/rule-note.tsx';
import type { WireEntry } from './stage.ts';

interface WireProps {
  readonly entries: readonly WireEntry[];
  /** Members of the responses to highlight. */
  readonly highlight: readonly string[];
}

/** The traffic of a step: every request with its response, the rule behind a refusal, and the events it raised. */
export function Wire({ entries, highlight }: WireProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section class="wire-side" aria-label="Wire traffic" tabIndex={0}>
      {entries.length === 0 && (
        <div class="wire-empty">
          <p>The requests and responses of each step appear here.</p>
          <p>
            <kbd>→</kbd> next step <kbd>←</kbd> back <kbd>r</kbd> restart <kbd>Esc</kbd> leave
          </p>
        </div>
      )}
      {entries.map((entry, index) => (
        <Entry
          key={`${entry.exchange.path} ${index}`}
          entry={entry}
          highlight={highlight}
          isMain={index === entries.length - 1}
        />
      ))}
    </section>
  );
}

interface EntryProps {
  readonly entry: WireEntry;
  readonly highlight: readonly string[];
  /** Whether this is the last request of the step. The others are collapsed. */
  readonly isMain: boolean;
}

function Entry({ entry: { plane, exchange, rule, events }, highlight, isMain }: EntryProps) {
  return (
    <details class={`wire-entry ${plane === 'control' ? 'simulated' : ''}`} open={isMain}>
      <summary>
        <h2 class="wire">
          <Method name={exchange.method} /> <span>{exchange.path}</span>
        </h2>
        <span class="wire-plane">
          {plane === 'control' && 'control plane'} {!isMain && <StatusCode status={exchange.status} />}
        </span>
      </summary>
      {exchange.requestBody !== undefined && (
        <pre class="wire-request">
          <Json text={JSON.stringify(exchange.requestBody)} />
        </pre>
      )}
      <div class="wire-response">
        <StatusCode status={exchange.status} />
        {rule !== null && <RuleNote rule={rule} />}
      </div>
      {exchange.responseBody !== null && (
        <pre>
          <Json text={JSON.stringify(exchange.responseBody)} highlight={highlight} />
        </pre>
      )}
      {events.length > 0 && (
        <ul class="wire-events" aria-label="Events raised">
          {events.map(({ id, eventType }) => (
            <li key={id}>
              <Badge tone="info" text={eventType} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
