import { withToast } from '../../data/actions.ts';
import { SESSION_STATUSES } from '../../data/enumerations.ts';
import { control } from '../../data/http.ts';
import { kycSessions } from '../../data/records.ts';
import type { KycSession } from '../../data/response-types.ts';
import { openCardholderForm, openRejectionForm } from '../../forms/cardholders.ts';
import { openSessionForm } from '../../forms/identities.ts';
import { recordView } from '../../paging/browse-records.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { dateTime, nameOf, readableList } from '../../ui/format.ts';
import { TwoLines } from '../../ui/list.tsx';
import { Facts, Mentions, RecordHead, RecordLink } from '../../ui/panel.tsx';
import { PEOPLE_TABS } from '../tabs.ts';

export const kycSessionsView = recordView<KycSession>({
  name: 'kyc-sessions',
  title: 'KYC sessions',
  icon: 'session',
  tabs: PEOPLE_TABS,
  list: kycSessions,
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
  create: { label: 'Open session', run: openSessionForm },
  source: 'For cardholders with the KYC source web: a person confirms their identity on a hosted page.',
  Detail,
});

function personOf({ identity }: KycSession): string {
  return identity === null ? 'Not confirmed' : nameOf(identity);
}

function approve(id: string): Promise<void> {
  return withToast('Session approved', () => control('POST', `/kyc-sessions/${id}/approve`, {}));
}

function Detail({ row }: { readonly row: KycSession }) {
  // Relative to this page, and with the world, in which alone the id is unique.
  const { pathname, search } = new URL(row.url);
  return (
    <>
      <RecordHead title={personOf(row)} id={row.id}>
        <StateBadge state={row.status} />
      </RecordHead>
      {row.status === 'pending' && (
        <div class="actions">
          <a class="button primary" href={pathname + search} target="_blank" rel="noreferrer">
            Open the hosted page
          </a>
          <Button icon="check" onClick={() => approve(row.id)}>
            Approve
          </Button>
          <Button icon="close" onClick={() => openRejectionForm(`/kyc-sessions/${row.id}/reject`)}>
            Reject
          </Button>
        </div>
      )}
      {row.status === 'approved' && row.usedBy === null && (
        <div class="actions">
          <Button
            kind="primary"
            icon="people"
            onClick={() => openCardholderForm({}, { kycSource: 'web', kycSessionId: row.id })}
          >
            Create cardholder
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
