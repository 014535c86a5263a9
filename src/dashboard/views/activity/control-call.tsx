import type { HistoryEntry } from '../../data/response-types.ts';
import { Call, StatusCode } from '../../ui/badge.tsx';
import { exactDateTime } from '../../ui/format.ts';
import { Facts, RecordHead } from '../../ui/panel.tsx';
import { HistoryActions } from './history-actions.tsx';

const CALLERS: Readonly<Record<HistoryEntry['plane'], string>> = {
  partner: 'A request to the API',
  control: 'A call of the control plane',
  page: 'A person on a hosted page',
};

export function ControlCallDetail({ row }: { readonly row: HistoryEntry }) {
  return (
    <>
      <RecordHead kind="wire" title={<Call {...row} />} id={row.id}>
        <StatusCode status={row.status} />
      </RecordHead>
      <p>{row.summary}</p>
      <div class="actions">
        <HistoryActions id={row.id} />
      </div>
      <Facts
        of={[
          ['By', CALLERS[row.plane]],
          ['Time', exactDateTime(row.at)],
        ]}
      />
    </>
  );
}
