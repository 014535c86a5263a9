import { computed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { journal, partner, partners } from '../../data/store.ts';
import { route, selectRows } from '../../route.ts';
import { Options } from '../../ui/form.tsx';

/** What the list of requests is limited to. An empty text limits nothing. */
interface RequestFilters {
  readonly operation: string;
  readonly status: string;
  /** Id of a partner, `all`, or empty for the selected one. */
  readonly partner: string;
  /** Sandbox times in UTC, ISO 8601, from the date to the millisecond. */
  readonly since: string;
  readonly until: string;
}

const NONE: RequestFilters = { operation: '', status: '', partner: '', since: '', until: '' };
const ALL = 'all';
const CLASSES = ['2xx', '3xx', '4xx', '5xx'];
/** A date, then as much of a time as the user knows. */
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?Z?$/;

/** The filters of the page. They are in the address, so that a link to the list has them. */
const filters = computed<RequestFilters>(() => {
  const { operation = '', status = '', partner: wanted = '', since = '', until = '' } = route.value.query;
  return { operation, status, partner: wanted, since, until };
});

/** Whether the page shows refusals, each with the number of its requests. */
export const isGrouped = computed(() => route.value.query.errors === 'grouped');

/** The id of the request whose refusal the requests of the list have, or null. */
export const sameAs = computed(() => route.value.query.same ?? null);

export const activeFilters = computed(
  () =>
    Object.values(filters.value).filter(text => text !== '').length +
    (isGrouped.value || sameAs.value !== null ? 1 : 0),
);

/** The query that asks the sandbox for the requests that match, or null when nothing is filtered. */
export const filterQuery = computed(() => {
  const { operation, status, since, until, partner: wanted } = filters.value;
  const isFiltered = Object.values(filters.value).some(text => text !== '');
  if (!isFiltered) return null;
  const query = new URLSearchParams();
  if (operation !== '') query.set('operation', operation);
  if (status !== '') query.set('status', status);
  if (since !== '') query.set('since', timestampOf(since, '00:00:00.000'));
  if (until !== '') query.set('until', timestampOf(until, '23:59:59.999'));
  const partnerId = wanted === '' ? partner.value?.id : wanted;
  if (partnerId !== undefined && wanted !== ALL) query.set('partnerId', partnerId);
  return query.toString();
});

/** Returns a moment as an ISO 8601 timestamp. What it leaves out is that of `rest`, a time to the millisecond. */
function timestampOf(moment: string, rest: string): string {
  const [, date = '', minutes = rest.slice(0, 5), seconds = rest.slice(6, 8), fraction] =
    MOMENT.exec(moment) ?? [];
  return `${date}T${minutes}:${seconds}.${fraction?.padEnd(3, '0') ?? rest.slice(9)}Z`;
}

export function clearFilters(): void {
  selectRows({ ...NONE, errors: '', same: '', page: '' });
}

/** Changes filters. The list begins at its first page again. */
function select(change: Partial<RequestFilters>): void {
  selectRows({ ...change, page: '' });
}

/** What the requests of the journal have, or a filter asks for: their operations and their statuses, in order. */
const present = computed(() => {
  const rows = journal.data.value ?? [];
  const { operation: wanted, status } = filters.value;
  const operations = rows.flatMap(({ operation }) => operation ?? []);
  const statuses = rows.map(row => String(row.status));
  return {
    operations: distinct([...operations, wanted]),
    statuses: distinct([...statuses, status]).filter(text => !CLASSES.includes(text)),
  };
});

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter(text => text !== '').sort();
}

export function RequestFilterFields() {
  const { operations, statuses } = present.value;
  const set = (name: keyof RequestFilters) => (value: string) => select({ [name]: value });
  const current = filters.value;
  return (
    <>
      <Choice
        label="Operation"
        value={current.operation}
        onInput={set('operation')}
        choices={[['', 'All operations'], ...operations.map(id => [id, id] as const)]}
      />
      <Choice
        label="Status"
        value={current.status}
        onInput={set('status')}
        choices={[['', 'All statuses'], ...[...CLASSES, ...statuses].map(text => [text, text] as const)]}
      />
      <Choice
        label="Requests of"
        value={current.partner}
        onInput={set('partner')}
        choices={[
          ['', 'Selected partner'],
          [ALL, 'All partners'],
          ...(partners.data.value ?? []).map(({ id, name }) => [id, name] as const),
        ]}
      />
      <Moment label="From" value={current.since} onInput={set('since')} />
      <Moment label="To" value={current.until} onInput={set('until')} />
      <button
        type="button"
        class="button"
        aria-pressed={isGrouped.value}
        title="The same refusal once, with the number of its requests"
        onClick={() => selectRows({ errors: isGrouped.value ? '' : 'grouped', same: '', page: '' })}
      >
        Group errors
      </button>
      {activeFilters.value > 0 && (
        <button type="button" class="button" aria-label="Clear filters" onClick={clearFilters}>
          Clear
        </button>
      )}
    </>
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function Choice({
  label,
  value,
  onInput,
  choices,
}: FilterProps & { readonly choices: readonly (readonly [string, string])[] }) {
  return (
    <select
      aria-label={label}
      title={label}
      value={value}
      onChange={event => onInput(event.currentTarget.value)}
    >
      <Options of={choices} />
    </select>
  );
}

/** A field for a moment in ISO 8601, whatever the language of the browser is. */
function Moment({ label, value, onInput }: FilterProps) {
  const typed = useSignal(value);
  useEffect(() => {
    typed.value = value;
  }, [value, typed]);
  const isValid = typed.value === '' || MOMENT.test(typed.value);
  return (
    <input
      aria-label={label}
      aria-invalid={!isValid}
      placeholder={`${label} 2026-03-15`}
      title={`${label}: sandbox time in UTC, such as 2026-03-15 or 2026-03-15 10:00:00.250`}
      autocomplete="off"
      spellcheck={false}
      value={typed.value}
      onInput={event => {
        typed.value = event.currentTarget.value.trim();
        if (typed.value === '' || MOMENT.test(typed.value)) onInput(typed.value);
      }}
    />
  );
}
