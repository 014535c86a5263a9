import type { ShareToken } from '../../data/response-types.ts';
import { sandboxNow } from '../../data/sandbox-time.ts';
import { shareTokens } from '../../data/store.ts';
import { openCardholderForm } from '../../forms/cardholders.ts';
import { openShareTokenForm } from '../../forms/identities.ts';
import { Badge, StateBadge } from '../../ui/badge.tsx';
import { Browse, MissingRecord } from '../../ui/browse.tsx';
import { Id } from '../../ui/copy.tsx';
import { dateTime } from '../../ui/format.ts';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty, Facts } from '../../ui/panel.tsx';
import { timeColumn } from '../../ui/time-column.tsx';
import type { View } from '../../ui/view.ts';
import { usedBy } from './used-by.tsx';

/** The partner's share tokens. */
export const shareTokensView: View = {
  name: 'tokens',
  title: 'Share tokens',
  icon: 'lock',
  group: 'Records',
  key: 'k',
  Page: ShareTokens,
};

const STATES = ['unused', 'used', 'expired'] as const;

function stateOf({ usedBy: cardholderId, expiresAt }: ShareToken): (typeof STATES)[number] {
  if (cardholderId !== null) return 'used';
  return expiresAt !== null && Date.parse(expiresAt) <= (sandboxNow.value ?? 0) ? 'expired' : 'unused';
}

function TokenBadge({ row }: { readonly row: ShareToken }) {
  const state = stateOf(row);
  return <Badge tone={state === 'unused' ? 'good' : 'quiet'} text={state} />;
}

const COLUMNS: readonly Column<ShareToken>[] = [
  {
    title: 'Identity',
    width: 'minmax(0, 2fr)',
    cell: row => (
      <TwoLines main={`${row.identity.firstName} ${row.identity.lastName}`} sub={<code>{row.token}</code>} />
    ),
  },
  { title: 'Source', width: '64px', isMinor: true, cell: row => row.source },
  { title: 'Provider will', width: '112px', isMinor: true, cell: row => <StateBadge state={row.outcome} /> },
  { title: 'State', width: '92px', cell: row => <TokenBadge row={row} /> },
  timeColumn('Minted', row => row.createdAt),
];

function ShareTokens() {
  const mint = (
    <Button icon="plus" tone="primary" onClick={openShareTokenForm}>
      Mint token
    </Button>
  );
  return (
    <Browse
      view={shareTokensView}
      noun="share token"
      rows={shareTokens.rows.value}
      total={shareTokens.total.value}
      search={shareTokens.search}
      error={shareTokens.error.value}
      idOf={({ token }) => token}
      columns={COLUMNS}
      states={{ of: stateOf, all: STATES }}
      actions={mint}
      empty={
        <Empty icon="lock" title="No share tokens yet">
          <p>
            A share token is a donor partner’s snapshot of a verified identity. It creates or corrects one
            cardholder.
          </p>
          {mint}
        </Empty>
      }
      detail={id => {
        const row = shareTokens.find(id);
        return row === undefined ? <MissingRecord noun="share token" id={id} /> : <Detail row={row} />;
      }}
    />
  );
}

function Detail({ row }: { readonly row: ShareToken }) {
  const { identity } = row;
  return (
    <>
      <header class="detail-head">
        <h2>
          {identity.firstName} {identity.lastName}
        </h2>
        <TokenBadge row={row} />
      </header>
      <Id value={row.token} />
      {stateOf(row) === 'unused' && (
        <div class="actions">
          <Button
            tone="primary"
            icon="people"
            onClick={() => openCardholderForm({ kycSource: row.source, token: row.token })}
          >
            Create cardholder
          </Button>
        </div>
      )}
      <Facts
        of={[
          ['Source', row.source],
          ['Provider will', <StateBadge key="outcome" state={row.outcome} />],
          ['Street', identity.residenceAddressDetail],
          ['City', [identity.postalCode, identity.residenceCity].filter(Boolean).join(' ')],
          ['State', identity.residenceStateProvince],
          ['Country', identity.residenceCountryCode],
          ['Minted', dateTime(row.createdAt)],
          ['Expires', row.expiresAt === null ? 'never' : dateTime(row.expiresAt)],
          usedBy(row.usedBy),
        ]}
      />
    </>
  );
}
