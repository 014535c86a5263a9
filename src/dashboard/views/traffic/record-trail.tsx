import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { control } from '../../data/http.ts';
import type { JournalEntry } from '../../data/response-types.ts';
import { deliveries, journal } from '../../data/store.ts';
import { Call, Method, StateBadge, StatusCode } from '../../ui/badge.tsx';
import { count, dateTime, exactDateTime } from '../../ui/format.ts';
import { Body } from '../../ui/json.tsx';
import { RecordLink, Section } from '../../ui/panel.tsx';
import { ChangedMembers } from './change-list.tsx';

const MAX_REQUESTS = 20;

/** Returns the newest requests of the journal that changed a record, or raised an event; null until they are read. */
function useRequestsOf(id: string): readonly JournalEntry[] | null {
  const entries = useSignal<readonly JournalEntry[] | null>(null);
  // Whatever changes the record over the API is a new entry of the journal.
  const newest = journal.data.value?.[0]?.id;
  useEffect(() => {
    const query = new URLSearchParams({ recordId: id, limit: String(MAX_REQUESTS) });
    control<readonly JournalEntry[]>('GET', `/requests?${query}`).then(
      found => {
        entries.value = found;
      },
      // The next request reads it again.
      () => undefined,
    );
  }, [id, newest, entries]);
  return entries.value;
}

/** What belongs to a record: the requests that changed it, its events with their deliveries, and its JSON. */
export function RecordTrail({ id, object }: { readonly id: string; readonly object: object }) {
  const entries = useRequestsOf(id) ?? [];
  const sent = deliveries.data.value?.filter(({ resourceId }) => resourceId === id) ?? [];
  return (
    <>
      {entries.length > 0 && (
        <Section title="Requests that changed it">
          <ol class="changes">
            {entries.map(entry => (
              <li key={entry.id}>
                <details>
                  <summary>
                    <StatusCode status={entry.status} />
                    <span class="change-kind">
                      <Method name={entry.method} /> {entry.operation}
                    </span>
                    <time>{dateTime(entry.at)}</time>
                  </summary>
                  {entry.changes
                    .filter(change => change.id === id)
                    .map((change, index) => (
                      <ChangedMembers key={`${change.kind} ${index}`} change={change} />
                    ))}
                  <RecordLink id={entry.id}>Open the request</RecordLink>
                </details>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {sent.length > 0 && (
        <Section title="Events and deliveries">
          <ul class="links">
            {sent.map(({ id: event, eventType, status, attemptCount, createdAt }) => (
              <li key={event}>
                <RecordLink id={event}>{eventType}</RecordLink>
                <span class="note">{count(attemptCount, 'attempt')}</span>
                <StateBadge state={status} />
                <time class="note">{dateTime(createdAt)}</time>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <details class="header-list">
        <summary>Object</summary>
        <Body title="JSON" text={JSON.stringify(object)} />
      </details>
    </>
  );
}

/** The request that raised an event: the first step of its trace. Events of the clock have none. */
export function TraceOrigin({ event, raisedAt }: { readonly event: string; readonly raisedAt: string }) {
  const [origin] = (useRequestsOf(event) ?? []).toReversed();
  if (origin === undefined) {
    return (
      <li class="trace-step">
        <span>Raised by the clock or the control plane</span>
        <time>{exactDateTime(raisedAt)}</time>
      </li>
    );
  }
  return (
    <li class="trace-step">
      <StatusCode status={origin.status} />
      <RecordLink id={origin.id}>
        <Call method={origin.method} path={origin.path} />
      </RecordLink>
      <span class="note">{origin.durationMs.toFixed(1)} ms</span>
      <time>{exactDateTime(origin.at)}</time>
    </li>
  );
}
