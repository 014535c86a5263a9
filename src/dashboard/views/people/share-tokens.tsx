import { moment } from '../../ui/format.ts';
import { sandboxNow } from '../../data/sandbox-time.ts';
import type { ShareToken } from '../../data/response-types.ts';
import { shareTokens } from '../../data/store.ts';
import { askForCardholder, askForShareToken } from '../../forms/cardholders.ts';
import { Badge } from '../../ui/badge.tsx';
import { Browse, Gone } from '../../ui/browse.tsx';
import { Id } from '../../ui/copy.tsx';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty, Facts } from '../../ui/panel.tsx';
import { momentColumn, usedBy } from '../../ui/moment-column.tsx';

const STATES = ['fresh', 'used', 'expired'] as const;
const TONES = { fresh: 'active', used: 'cancelled', expired: 'expired' } as const;

function stateOf({ usedBy, expiresAt }: ShareToken): (typeof STATES)[number] {
  if (usedBy !== null) return 'used';
  return expiresAt !== null && Date.parse(expiresAt) <= (sandboxNow.value ?? 0) ? 'expired' : 'fresh';
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
  { title: 'Provider will', width: '112px', isMinor: true, cell: row => <Badge state={row.outcome} /> },
  { title: 'State', width: '92px', cell: row => <Badge state={TONES[stateOf(row)]} label={stateOf(row)} /> },
  momentColumn('Minted', row => row.createdAt),
];

/** The partner's share tokens. */
export function Tokens() {
  return (
    <Browse
      view="tokens"
      title="Share tokens"
      noun="share token"
      rows={shareTokens.rows.value}
      error={shareTokens.error.value}
      idOf={({ token }) => token}
      columns={COLUMNS}
      states={{ of: stateOf, all: STATES }}
      actions={
        <Button icon="plus" tone="primary" onClick={askForShareToken}>
          Mint token
        </Button>
      }
      empty={
        <Empty icon="lock" title="No share tokens yet">
          <p>
            A donor partner’s snapshot of a verified identity: it creates one cardholder, or corrects one.
          </p>
          <Button icon="plus" tone="primary" onClick={askForShareToken}>
            Mint token
          </Button>
        </Empty>
      }
      detail={id => {
        const row = shareTokens.find(id);
        return row === undefined ? <Gone noun="share token" id={id} /> : <Detail row={row} />;
      }}
    />
  );
}

function Detail({ row }: { readonly row: ShareToken }) {
  const { identity } = row;
  const state = stateOf(row);
  return (
    <>
      <header class="detail-head">
        <h2>
          {identity.firstName} {identity.lastName}
        </h2>
        <Badge state={TONES[state]} label={state} />
      </header>
      <Id value={row.token} />
      {state === 'fresh' && (
        <div class="actions">
          <Button
            tone="primary"
            icon="people"
            onClick={() => askForCardholder({ kycSource: row.source, token: row.token })}
          >
            Create cardholder
          </Button>
        </div>
      )}
      <Facts
        of={[
          ['Source', row.source],
          ['Provider will', <Badge key="outcome" state={row.outcome} />],
          ['Street', identity.residenceAddressDetail],
          ['City', [identity.postalCode, identity.residenceCity].filter(Boolean).join(' ')],
          ['State', identity.residenceStateProvince],
          ['Country', identity.residenceCountryCode],
          ['Minted', moment(row.createdAt)],
          ['Expires', row.expiresAt === null ? 'never' : moment(row.expiresAt)],
          usedBy(row.usedBy),
        ]}
      />
    </>
  );
}
