import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { control } from '../../data/http.ts';
import type { JournalEntry } from '../../data/response-types.ts';
import { journal } from '../../data/store.ts';
import { linkTo } from '../../route.ts';
import { Method, StatusCode } from '../../ui/badge.tsx';
import { dateTime } from '../../ui/format.ts';
import { Section } from '../../ui/panel.tsx';
import { ChangedMembers } from './change-list.tsx';

const MAX_REQUESTS = 20;

/** The requests of the journal that changed a record, newest first, each with the changed members before and after. */
export function RecordHistory({ id }: { readonly id: string }) {
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
  if (entries.value === null || entries.value.length === 0) return null;
  return (
    <Section title="Requests that changed it">
      <ol class="changes">
        {entries.value.map(entry => (
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
              <a href={linkTo('requests', entry.id)}>Open the request</a>
            </details>
          </li>
        ))}
      </ol>
    </Section>
  );
}
