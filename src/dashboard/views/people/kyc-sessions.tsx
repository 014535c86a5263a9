import { withToast } from '../../data/actions.ts';
import { SESSION_STATUSES } from '../../data/enumerations.ts';
import { control } from '../../data/http.ts';
import { kycSessions } from '../../data/records.ts';
import type { KycSession } from '../../data/response-types.ts';
import { openRejectionForm } from '../../forms/cardholders.ts';
import { openSessionForm } from '../../forms/identities.ts';
import { recordView } from '../../paging/browse-records.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { dateTime, nameOf, readableList } from '../../ui/format.ts';
import { TwoLines } from '../../ui/list.tsx';
import { Button, Facts, Mentions, RecordHead, RecordLink } from '../../ui/panel.tsx';
import { PEOPLE_TABS } from './tabs.ts';

export const kycSessionsView = recordView<KycSession>({
  name: 'kyc-sessions',
  title: 'KYC sessions',
  icon: 'session',
  tabs: PEOPLE_TABS,
  list: kycSessions,
  noun: 'KYC session',
  columns: [
    {
      title: 'Person',
      width: 'minmax(0, 2fr)',
      cell: row => <TwoLines main={personOf(row)} sub={row.externalUserId ?? <code>{row.id}</code>} />,
    },
    { title: 'Status', width: '108px', cell: row => <StateBadge state={row.status} /> },
    { title: 'Used', width: '64px', hideWhen: 'narrow', cell: row => (row.usedBy === null ? 'no' : 'yes') },
    timeColumn('Opened', row => row.createdAt),
  ],
  states: { parameter: 'status', all: SESSION_STATUSES },
  Create: () => (
    <Button icon="plus" tone="primary" onClick={openSessionForm}>
      Open session
    </Button>
  ),
  source: 'For cardholders with the KYC source web: a person confirms their identity on a hosted page.',
  Detail,
});

/** The name that was confirmed, if it was. */
function personOf({ identity }: KycSession): string {
  return identity === null ? 'Not confirmed' : nameOf(identity);
}

function Detail({ row }: { readonly row: KycSession }) {
  const decide = (verb: 'approve' | 'reject') =>
    void withToast(verb === 'approve' ? 'Session approved' : 'Session rejected', () =>
      control('POST', `/kyc-sessions/${row.id}/${verb}`, {}),
    );
  return (
    <>
      <RecordHead title={personOf(row)} id={row.id}>
        <StateBadge state={row.status} />
      </RecordHead>
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
          <Button onClick={() => openRejectionForm(`/kyc-sessions/${row.id}/reject`)}>
            Reject with a reason
          </Button>
        </div>
      )}
      <Facts
        of={[
          ['External id', row.externalUserId],
          ['Opened', dateTime(row.createdAt)],
          ['Expires', dateTime(row.expiresAt)],
          ['Rejected because', readableList(row.reasons)],
          ['Used by', row.usedBy && <RecordLink key="user" id={row.usedBy} />],
          ['Mentioned in', <Mentions key="mentions" of={row.id} />],
        ]}
      />
    </>
  );
}
