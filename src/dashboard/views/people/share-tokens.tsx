import { shareTokens } from '../../data/records.ts';
import type { ShareToken } from '../../data/response-types.ts';
import { openCardholderForm, tokenProof, tokenState } from '../../forms/cardholders.ts';
import { openShareTokenForm } from '../../forms/identities.ts';
import { recordView } from '../../paging/browse-records.tsx';
import { Badge, StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { dateTime, nameOf } from '../../ui/format.ts';
import { TwoLines } from '../../ui/list.tsx';
import { Facts, RecordHead, RecordLink } from '../../ui/panel.tsx';
import { PEOPLE_TABS } from '../tabs.ts';

export const shareTokensView = recordView<ShareToken>({
  name: 'share-tokens',
  title: 'Share tokens',
  icon: 'lock',
  tabs: PEOPLE_TABS,
  list: shareTokens,
  columns: [
    {
      title: 'Identity',
      width: 'minmax(0, 2fr)',
      cell: row => <TwoLines main={nameOf(row.identity)} sub={<code>{row.token}</code>} />,
    },
    { title: 'Source', width: '64px', hideWhen: 'narrow', cell: row => row.source },
    {
      title: 'KYC outcome',
      width: '112px',
      hideWhen: 'narrow',
      cell: row => <StateBadge state={row.outcome} />,
    },
    { title: 'State', width: '92px', cell: row => <TokenBadge row={row} /> },
    timeColumn('Issued', row => row.createdAt),
  ],
  states: { parameter: 'state', all: ['unused', 'used', 'expired'] },
  create: { label: 'Issue share token', run: openShareTokenForm },
  source:
    'A share token is an identity that another company has verified. It creates or corrects one cardholder.',
  Detail,
});

function TokenBadge({ row }: { readonly row: ShareToken }) {
  const state = tokenState(row);
  return <Badge tone={state === 'unused' ? 'good' : 'quiet'} text={state} />;
}

function Detail({ row }: { readonly row: ShareToken }) {
  const { identity } = row;
  return (
    <>
      <RecordHead title={nameOf(identity)} id={row.token}>
        <TokenBadge row={row} />
      </RecordHead>
      {tokenState(row) === 'unused' && (
        <div class="actions">
          <Button kind="primary" icon="people" onClick={() => openCardholderForm({}, tokenProof(row))}>
            Create cardholder
          </Button>
        </div>
      )}
      <Facts
        of={[
          ['Source', row.source],
          ['KYC outcome', <StateBadge key="outcome" state={row.outcome} />],
          ['Street', identity.residenceAddressDetail],
          ['City', [identity.postalCode, identity.residenceCity].filter(Boolean).join(' ')],
          ['State', identity.residenceStateProvince],
          ['Country', identity.residenceCountryCode],
          ['Issued', dateTime(row.createdAt)],
          ['Expires', row.expiresAt === null ? 'never' : dateTime(row.expiresAt)],
          [
            'Used by',
            row.usedBy === 'fixture'
              ? 'the fixture'
              : row.usedBy && <RecordLink key="user" id={row.usedBy} />,
          ],
        ]}
      />
    </>
  );
}
