import { computed } from '@preact/signals';
import { journal, partner, partners } from '../../data/store.ts';
import { route, selectRows } from '../../route.ts';
import { Options } from '../../ui/form.tsx';

/** What the list of requests is limited to. An empty text limits nothing. */
interface RequestFilters {
  readonly operation: string;
  readonly status: string;
  /** Id of a partner, `all`, or empty for the selected one. */
  readonly partner: string;
  /** Sandbox times in UTC, to the second, as an input for them has them. */
  readonly since: string;
  readonly until: string;
}

const NONE: RequestFilters = { operation: '', status: '', partner: '', since: '', until: '' };
const ALL = 'all';
const CLASSES = ['2xx', '3xx', '4xx', '5xx'];

/** The filters of the page. They are in the address, so that a link to the list has them. */
const filters = computed<RequestFilters>(() => {
  const { operation = '', status = '', partner: wanted = '', since = '', until = '' } = route.value.query;
  return { operation, status, partner: wanted, since, until };
});

/** The query that asks the sandbox for the requests that match, or null when nothing is filtered. */
export const filterQuery = computed(() => {
  const { operation, status, since, until, partner: wanted } = filters.value;
  const isFiltered = Object.values(filters.value).some(text => text !== '');
  if (!isFiltered) return null;
  const query = new URLSearchParams();
  if (operation !== '') query.set('operation', operation);
  if (status !== '') query.set('status', status);
  if (since !== '') query.set('since', utc(since, '.000'));
  if (until !== '') query.set('until', utc(until, '.999'));
  const partnerId = wanted === '' ? partner.value?.id : wanted;
  if (partnerId !== undefined && wanted !== ALL) query.set('partnerId', partnerId);
  return query.toString();
});

export function clearFilters(): void {
  select(NONE);
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

export function RequestFilterBar() {
  const { operations, statuses } = present.value;
  const set = (name: keyof RequestFilters) => (value: string) => select({ [name]: value });
  const current = filters.value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend
    <div class="filter-bar" role="group" aria-label="Filters">
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
      {filterQuery.value !== null && (
        <button type="button" class="button" onClick={clearFilters}>
          Clear filters
        </button>
      )}
    </div>
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

function Moment({ label, value, onInput }: FilterProps) {
  return (
    <label class="moment">
      {label}
      <input
        type="datetime-local"
        step="1"
        title={`${label}, sandbox time, UTC`}
        value={value}
        onChange={event => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

/** Returns the time of an input, which leaves out seconds that are zero, as an ISO 8601 timestamp. */
function utc(text: string, milliseconds: string): string {
  return `${text.length === 16 ? `${text}:00` : text}${milliseconds}Z`;
}
