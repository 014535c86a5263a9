import { useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RecordPage } from '../data/record-page.ts';
import { type RecordList, usePage, useRecord, useTotal } from '../data/records.ts';
import { partner } from '../data/store.ts';
import { setPartnerInAddress } from '../route.ts';
import type { Column } from '../ui/list.tsx';
import { Button, Empty } from '../ui/panel.tsx';
import type { View } from '../ui/view.ts';
import { BrowseFrame, inSentence, MissingRecord, PAGE_ROWS, selectionInAddress } from './browse-frame.tsx';

/** A page about one kind of record, and how one of them is shown. */
interface RecordView<T> extends Omit<View, 'Page' | 'MenuCount'> {
  readonly list: RecordList<T>;
  /** What one of them is called, for example `card`. */
  readonly noun: string;
  readonly columns: readonly Column<T>[];
  /** The states that the list can be filtered by, and the parameter that does it. */
  readonly states: { readonly all: readonly string[]; readonly parameter: string };
  /** What is beside the title, before `Create`. */
  readonly Actions?: ComponentType;
  /** The button that creates one, beside the title and in the empty list. */
  readonly Create?: ComponentType;
  /** Where the records come from. Shown in the empty list. */
  readonly source: ComponentChildren;
  readonly Detail: ComponentType<{ readonly row: T }>;
}

/** Makes a view of records that the sandbox searches and returns in pages, with the open record beside the list. */
export function recordView<T extends object>(records: RecordView<T>): View {
  return { ...records, Page: () => <BrowseRecords {...records} /> };
}

function BrowseRecords<T extends object>({ states, Actions, Create, source, ...view }: RecordView<T>) {
  const { list, noun, columns } = view;
  const { q, state, page } = selectionInAddress();
  const query = {
    q,
    filters: { [states.parameter]: state },
    offset: (page - 1) * PAGE_ROWS,
    limit: PAGE_ROWS,
  };
  const current = usePage(list, query);
  const shown = useLoaded(current);
  const all = useTotal(list);
  const create = Create && <Create />;
  return (
    <BrowseFrame
      view={view}
      noun={noun}
      columns={columns}
      rows={shown?.rows ?? null}
      idOf={list.idOf}
      all={all}
      matching={shown?.total ?? null}
      hasMore={shown?.hasMore ?? false}
      error={current?.error.value ?? null}
      states={states.all}
      notice={current?.isOutdated.value === true && <Outdated page={current} noun={noun} />}
      actions={
        <>
          {Actions && <Actions />}
          {create}
        </>
      }
      empty={
        <Empty icon={view.icon} title={`No ${inSentence(view.title)} yet`}>
          <p>{source}</p>
          {create}
        </Empty>
      }
      detail={id => <OpenRecord {...view} id={id} listed={shown?.rows.find(row => list.idOf(row) === id)} />}
    />
  );
}

interface LoadedPage<T> {
  readonly rows: readonly T[];
  readonly total: number | null;
  readonly hasMore: boolean;
}

/** Returns the page that was loaded last, so that the list does not vanish while the next one is read. */
function useLoaded<T>(page: RecordPage<T> | null): LoadedPage<T> | null {
  const last = useRef<LoadedPage<T> | null>(null);
  const lastPartner = useRef(partner.value?.id);
  if (lastPartner.current !== partner.value?.id) last.current = null;
  lastPartner.current = partner.value?.id;
  const rows = page?.rows.value ?? null;
  if (page !== null && rows !== null)
    last.current = { rows, total: page.total.value, hasMore: page.hasMore.value };
  return last.current;
}

function Outdated<T>({ page, noun }: { readonly page: RecordPage<T>; readonly noun: string }) {
  const isBusy = useSignal(false);
  async function searchAgain() {
    isBusy.value = true;
    await page.load();
    isBusy.value = false;
  }
  return (
    <p class="callout">
      <span>A {noun} was created or changed since this search.</span>
      <Button icon="again" disabled={isBusy.value} onClick={() => void searchAgain()}>
        Search again
      </Button>
    </p>
  );
}

interface OpenRecordProps<T> extends Pick<RecordView<T>, 'list' | 'noun' | 'Detail'> {
  readonly id: string;
  /** The record as the list has it, if it does. */
  readonly listed: T | undefined;
}

/** A record, wherever in its list it is. A record of another partner selects that partner. */
function OpenRecord<T extends object>({ list, noun, Detail, id, listed }: OpenRecordProps<T>) {
  const read = useRecord(list, id);
  const row = read === undefined ? listed : read;
  const owner = row != null && 'partnerId' in row ? row.partnerId : null;
  useEffect(() => {
    if (typeof owner === 'string' && owner !== partner.value?.id) setPartnerInAddress(owner);
  }, [owner]);
  if (row === undefined) return null;
  return row === null ? <MissingRecord noun={noun} id={id} /> : <Detail row={row} />;
}
