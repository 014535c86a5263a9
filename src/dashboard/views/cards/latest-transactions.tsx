import { transactions, useRows } from '../../data/records.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { money } from '../../ui/format.ts';
import { RecordLink, Section } from '../../ui/panel.tsx';

const MAX_TRANSACTIONS = 10;

export function LatestTransactions({ of }: { readonly of: Readonly<Record<string, string>> }) {
  const rows = useRows(transactions, of, MAX_TRANSACTIONS);
  if (rows === null) return null;
  return (
    <Section title="Transactions">
      {rows.length === 0 && <p class="nothing">None yet</p>}
      <ul class="links">
        {rows.map(each => (
          <li key={each.id}>
            <RecordLink id={each.id} text={each.merchant.name} />
            <span class="number">{money(each.amount, each.currency)}</span>
            <StateBadge state={each.status} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
