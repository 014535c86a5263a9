import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type RecordList, type RecordPage, usePage, useRecord, useTotal } from '../data/records.ts';
import { partner } from '../data/store.ts';
import { setPartnerInAddress } from '../route.ts';
import { Button } from '../ui/button.tsx';
import type { Column } from '../ui/list.tsx';
import { Empty } from '../ui/panel.tsx';
import type { View } from '../ui/view.ts';
import { BrowseFrame, inSentence, PAGE_ROWS, type RowPage, selectionInAddress } from './browse-frame.tsx';

interface RecordView<T> extends Omit<View, 'Page'> {
  readonly list: RecordList<T>;
  readonly columns: readonly Column<T>[];
  readonly states: { readonly all: readonly string[]; readonly parameter: string };
  /** What is beside the title, before the button that creates one. */
  readonly Actions?: ComponentType;
  /** The button that creates one, beside the title and in the empty list. */
  readonly create?: { readonly label: string; readonly run: () => unknown };
  /** Where the records come from. Shown in the empty list. */
  readonly source: ComponentChildren;
  readonly Detail: ComponentType<{ readonly row: T }>;
}

/** Makes a view of records that the sandbox searches and returns in pages, with the open record beside the list. */
export function recordView<T extends object>(records: RecordView<T>): View {
  return { ...records, Page: () => <BrowseRecords view={records} /> };
}

function BrowseRecords<T extends object>({ view }: { readonly view: RecordView<T> }) {
  const { list, columns, states, Actions, create, source, Detail } = view;
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
  const createButton = create && (
    <Button icon="plus" kind="primary" onClick={create.run}>
      {create.label}
    </Button>
  );
  return (
    <BrowseFrame
      view={view}
      noun={list.kind}
      columns={columns}
      loaded={shown}
      idOf={list.idOf}
      all={all}
      error={current?.error.value ?? null}
      states={states.all}
      filters={
        current?.isSearch === true && (
          <Button icon="again" title="A search is not made again by itself" onClick={() => current.load()}>
            Search again
          </Button>
        )
      }
      actions={
        <>
          {Actions && <Actions />}
          {createButton}
        </>
      }
      empty={
        <Empty icon={view.icon} title={`No ${inSentence(view.title)} yet`}>
          <p>{source}</p>
          {createButton}
        </Empty>
      }
      detail={id => {
        const listed = shown?.rows.find(row => list.idOf(row) === id);
        return <OpenRecord list={list} Detail={Detail} id={id} listed={listed} />;
      }}
    />
  );
}

/** Returns the page of the partner that was loaded last, so that the list does not vanish while the next one is read. */
function useLoaded<T>(page: RecordPage<T> | null): RowPage<T> | null {
  const owner = partner.value?.id;
  const last = useRef<{ readonly owner: typeof owner; readonly loaded: RowPage<T> } | null>(null);
  const rows = page?.rows.value ?? null;
  if (page !== null && rows !== null)
    last.current = { owner, loaded: { rows, total: page.total.value, hasMore: page.hasMore.value } };
  const { current } = last;
  return current !== null && current.owner === owner ? current.loaded : null;
}

interface OpenRecordProps<T> extends Pick<RecordView<T>, 'list' | 'Detail'> {
  readonly id: string;
  readonly listed?: T | undefined;
}

/** A record, wherever in its list it is. A record of another partner selects that partner. */
export function OpenRecord<T extends object>({ list, Detail, id, listed }: OpenRecordProps<T>) {
  const read = useRecord(list, id);
  const row = read === undefined ? listed : read;
  const owner = row != null && 'partnerId' in row ? row.partnerId : null;
  useEffect(() => {
    if (typeof owner === 'string' && owner !== partner.value?.id) setPartnerInAddress(owner);
  }, [owner]);
  if (row === undefined) return null;
  if (row !== null) return <Detail row={row} />;
  return (
    <Empty icon="search" title={`No ${list.kind} with this id`}>
      <p>
        <code>{id}</code> is not in this world. It may belong to another one, or a reset removed it.
      </p>
    </Empty>
  );
}
