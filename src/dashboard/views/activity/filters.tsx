import { computed } from '@preact/signals';
import type { HistoryEntry, JournalEntry } from '../../data/response-types.ts';
import { journal, partner } from '../../data/store.ts';
import { route, selectRows } from '../../route.ts';
import { Button } from '../../ui/button.tsx';
import { Options } from '../../ui/form.tsx';

/** A request of the journal; or a call of the control plane or a decision on a hosted page, which only the history has. */
export type ActivityRow = JournalEntry | HistoryEntry;

export function isRequest(row: ActivityRow): row is JournalEntry {
  return 'durationMs' in row;
}

const CLASSES = ['2xx', '3xx', '4xx', '5xx'];

/** The filters of the page, by their names in the address, so that a link to the list has them. */
const NONE = { operation: '', status: '', partner: '', control: '', errors: '', same: '' };

const filters = computed<Readonly<typeof NONE>>(() => ({ ...NONE, ...route.value.query }));

/** Whether the list has the control calls too, and the decisions of people on hosted pages. */
export const showsControlCalls = computed(() => filters.value.control === 'shown');

/** Whether the page shows refusals, each with the number of its requests. */
export const isGrouped = computed(() => filters.value.errors === 'grouped');

/** The id of the request whose refusal the requests of the list have, or null. */
export const sameAs = computed(() => filters.value.same || null);

export const isFiltered = computed(() =>
  Object.keys(NONE).some(name => (route.value.query[name] ?? '') !== ''),
);

/** Whether a row matches the filters. What belongs to no partner is shown for each. */
export function matchesFilters(row: ActivityRow): boolean {
  const { operation, status, partner: whose } = filters.value;
  if (!String(row.status).startsWith(status.replace('xx', ''))) return false;
  if (!isRequest(row)) return operation === '';
  const isOfPartner = whose === 'all' || row.partnerId === null || row.partnerId === partner.value?.id;
  return isOfPartner && (operation === '' || row.operation === operation);
}

function clearFilters(): void {
  selectRows({ ...NONE, page: '' });
}

/** What the requests of the journal have, or a filter asks for: their operations and their statuses, in order. */
const present = computed(() => {
  const rows = journal.data.value ?? [];
  const { operation: wanted, status } = filters.value;
  return {
    operations: distinct([...rows.flatMap(({ operation }) => operation ?? []), wanted]),
    statuses: distinct([...rows.map(row => String(row.status)), ...CLASSES, status]),
  };
});

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter(text => text !== '').sort();
}

export function ActivityFilters() {
  const { operations, statuses } = present.value;
  return (
    <>
      <Choice name="operation" label="Operation" any="All operations" choices={operations} />
      <Choice name="status" label="Status" any="All statuses" choices={statuses} />
      <Toggle name="partner" value="all" title="The requests of every partner, not only of the selected one">
        All partners
      </Toggle>
      <Toggle name="control" value="shown" title="Control calls that write, and decisions on hosted pages">
        Control calls
      </Toggle>
      <Toggle name="errors" value="grouped" title="The same refusal once, with the number of its requests">
        Group errors
      </Toggle>
      <Button disabled={!isFiltered.value} onClick={clearFilters}>
        Clear filters
      </Button>
    </>
  );
}

interface ChoiceProps {
  readonly name: 'operation' | 'status';
  readonly label: string;
  /** The choice that limits nothing. */
  readonly any: string;
  readonly choices: readonly string[];
}

function Choice({ name, label, any, choices }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      title={label}
      value={filters.value[name]}
      onChange={event => selectRows({ [name]: event.currentTarget.value, same: '', page: '' })}
    >
      <option value="">{any}</option>
      <Options of={choices.map(each => [each, each])} />
    </select>
  );
}

interface ToggleProps {
  readonly name: 'partner' | 'control' | 'errors';
  /** Its text in the address when it is on. */
  readonly value: string;
  readonly title: string;
  readonly children: string;
}

function Toggle({ name, value, title, children }: ToggleProps) {
  const isOn = filters.value[name] === value;
  return (
    <Button
      aria-pressed={isOn}
      title={title}
      onClick={() => selectRows({ [name]: isOn ? '' : value, same: '', page: '' })}
    >
      {children}
    </Button>
  );
}
