import { shareTokens } from '../../data/records.ts';
import type { ShareToken } from '../../data/response-types.ts';
import { openCardholderForm, tokenState } from '../../forms/cardholders.ts';
import { openShareTokenForm } from '../../forms/identities.ts';
import { BrowseRecords, OpenRecord, type RecordKind } from '../../paging/browse-records.tsx';
import { Badge, StateBadge } from '../../ui/badge.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { dateTime, nameOf } from '../../ui/format.ts';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty, Facts, RecordHead, RecordLink } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { RecordTrail } from '../traffic/record-trail.tsx';

export const shareTokensView: View = {
  name: 'tokens',
  title: 'Share tokens',
  icon: 'lock',
  group: 'Records',
  key: 'k',
  Page: ShareTokens,
  Record: ({ id }) => <OpenRecord kind={KIND} id={id} />,
};

const KIND: RecordKind<ShareToken> = {
  list: shareTokens,
  noun: 'share token',
  detail: row => <Detail row={row} />,
};

const STATES = ['unused', 'used', 'expired'] as const;

function TokenBadge({ row }: { readonly row: ShareToken }) {
  const state = tokenState(row);
  return <Badge tone={state === 'unused' ? 'good' : 'quiet'} text={state} />;
}

const COLUMNS: readonly Column<ShareToken>[] = [
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
];

function ShareTokens() {
  const issue = (
    <Button icon="plus" tone="primary" onClick={openShareTokenForm}>
      Issue share token
    </Button>
  );
  return (
    <BrowseRecords
      view={shareTokensView}
      kind={KIND}
      columns={COLUMNS}
      states={{ parameter: 'state', all: STATES }}
      actions={issue}
      empty={
        <Empty icon="lock" title="No share tokens yet">
          <p>
            A share token is a donor partner’s snapshot of a verified identity. It creates or corrects one
            cardholder.
          </p>
          {issue}
        </Empty>
      }
    />
  );
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
          <Button
            tone="primary"
            icon="people"
            onClick={() => void openCardholderForm({ kycSource: row.source, token: row.token })}
          >
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
      <RecordTrail id={row.token} object={row} />
    </>
  );
}
