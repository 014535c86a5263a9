import { moment } from '../../ui/format.ts';
import { attempt } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { KycSession } from '../../data/response-types.ts';
import { kycSessions } from '../../data/store.ts';
import { askForSession } from '../../forms/cardholders.ts';
import { Badge } from '../../ui/badge.tsx';
import { Browse, Gone } from '../../ui/browse.tsx';
import { Id } from '../../ui/copy.tsx';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty, Facts } from '../../ui/panel.tsx';
import { momentColumn, usedBy } from '../../ui/moment-column.tsx';

const STATES = ['pending', 'approved', 'rejected', 'expired'] as const;

const COLUMNS: readonly Column<KycSession>[] = [
  {
    title: 'Session',
    width: 'minmax(0, 2fr)',
    cell: row => <TwoLines main={<code>{row.id}</code>} sub={row.externalUserId ?? 'no external user id'} />,
  },
  { title: 'Status', width: '108px', cell: row => <Badge state={row.status} /> },
  { title: 'Used', width: '64px', isMinor: true, cell: row => (row.usedBy === null ? 'no' : 'yes') },
  momentColumn('Opened', row => row.createdAt),
];

/** The partner's KYC sessions on the hosted page. */
export function Sessions() {
  return (
    <Browse
      view="sessions"
      title="KYC sessions"
      noun="KYC session"
      rows={kycSessions.rows.value}
      error={kycSessions.error.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      states={{ of: ({ status }) => status, all: STATES }}
      actions={
        <Button icon="plus" tone="primary" onClick={askForSession}>
          Open session
        </Button>
      }
      empty={
        <Empty icon="session" title="No KYC sessions yet">
          <p>For cardholders of source web: a person identifies themselves on a hosted page.</p>
          <Button icon="plus" tone="primary" onClick={askForSession}>
            Open session
          </Button>
        </Empty>
      }
      detail={id => {
        const row = kycSessions.find(id);
        return row === undefined ? <Gone noun="KYC session" id={id} /> : <Detail row={row} />;
      }}
    />
  );
}

function Detail({ row }: { readonly row: KycSession }) {
  const decide = (verb: 'approve' | 'reject') =>
    void attempt(verb === 'approve' ? 'The session is approved' : 'The session is rejected', () =>
      control('POST', `/kyc-sessions/${row.id}/${verb}`, {}),
    );
  return (
    <>
      <header class="detail-head">
        <h2>KYC session</h2>
        <Badge state={row.status} />
      </header>
      <Id value={row.id} />
      {row.status === 'pending' && (
        <div class="actions">
          <a class="button primary" href={new URL(row.url).pathname} target="_blank" rel="noreferrer">
            Open the hosted page
          </a>
          <Button icon="check" onClick={() => decide('approve')}>
            Approve
          </Button>
          <Button icon="close" onClick={() => decide('reject')}>
            Reject
          </Button>
        </div>
      )}
      <Facts
        of={[
          ['External id', row.externalUserId],
          ['Opened', moment(row.createdAt)],
          ['Expires', moment(row.expiresAt)],
          usedBy(row.usedBy),
        ]}
      />
    </>
  );
}
