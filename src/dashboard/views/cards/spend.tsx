import type { Card } from '../../data/response-types.ts';
import { money } from '../../ui/format.ts';

const WINDOWS = [
  ['daily', 'Today'],
  ['monthly', 'This month'],
  ['allTime', 'All time'],
] as const;
/** Share of a limit from which its bar warns. */
const NEAR_LIMIT = 0.85;

export function Spend({ card: { spendControl, limit, currency } }: { readonly card: Card }) {
  const { spent } = spendControl;
  const kinds = [
    ['Sales', spendControl.sales, spent.sales],
    ['Cash', spendControl.cash, spent.cash],
  ] as const;
  return (
    <div class="spend">
      {kinds.map(([title, limits, used]) => (
        <div key={title} class="spend-kind">
          <h3>
            {title}
            <span>up to {money(limits.perTransaction, currency)} each</span>
          </h3>
          {WINDOWS.map(([window, label]) => (
            <Bar key={window} label={label} spent={used[window]} limit={limits[window]} currency={currency} />
          ))}
        </div>
      ))}
      <Bar
        label="Card limit"
        spent={spent.sales.allTime + spent.cash.allTime}
        limit={limit}
        currency={currency}
      />
    </div>
  );
}

interface BarProps {
  readonly label: string;
  readonly spent: number;
  readonly limit: number;
  readonly currency: string;
}

function Bar({ label, spent, limit, currency }: BarProps) {
  const text = `${money(spent, currency)} of ${money(limit, currency)}`;
  // A limit of 0 is used up.
  const share = limit === 0 ? 1 : spent / limit;
  return (
    <label class="bar-row">
      <span class="bar-label">{label}</span>
      <meter value={share} high={NEAR_LIMIT} aria-valuetext={text} />
      <span class="bar-text">{text}</span>
    </label>
  );
}
