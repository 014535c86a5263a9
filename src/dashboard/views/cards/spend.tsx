import type { Card } from '../../data/response-types.ts';
import { money } from '../../ui/format.ts';

const WINDOWS = [
  ['daily', 'Today'],
  ['monthly', 'This month'],
  ['allTime', 'All time'],
] as const;
const KINDS = [
  ['sales', 'Sales'],
  ['cash', 'Cash'],
] as const;
/** Share of a limit from which its bar warns. */
const NEAR_LIMIT = 0.85;

export function Spend({ card }: { readonly card: Card }) {
  const { spendControl, currency } = card;
  const { sales, cash } = spendControl.spent;
  return (
    <div class="spend">
      {KINDS.map(([kind, title]) => (
        <div key={kind} class="spend-kind">
          <h3>
            {title}
            <span>up to {money(spendControl[kind].perTransaction, currency)} each</span>
          </h3>
          {WINDOWS.map(([window, label]) => (
            <Bar
              key={window}
              label={label}
              name={`${title}, ${label.toLowerCase()}`}
              spent={spendControl.spent[kind][window]}
              limit={spendControl[kind][window]}
              currency={currency}
            />
          ))}
        </div>
      ))}
      <Bar
        label="Card limit"
        name="Card limit"
        spent={sales.allTime + cash.allTime}
        limit={card.limit}
        currency={currency}
      />
    </div>
  );
}

interface BarProps {
  readonly label: string;
  readonly name: string;
  readonly spent: number;
  readonly limit: number;
  readonly currency: string;
}

function Bar({ label, name, spent, limit, currency }: BarProps) {
  const share = limit === 0 ? 1 : Math.min(spent / limit, 1);
  const tone = share >= 1 ? 'full' : share >= NEAR_LIMIT ? 'near' : '';
  const text = `${money(spent, currency)} of ${money(limit, currency)}`;
  return (
    <div class="bar-row">
      <span class="bar-label">{label}</span>
      {/* biome-ignore lint/a11y/useSemanticElements: a meter cannot be styled the same way in all browsers */}
      <span
        class={`bar ${tone}`}
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(spent, limit)}
        aria-valuetext={text}
      >
        <span style={{ width: `${share * 100}%` }} />
      </span>
      <span class="bar-text">
        <b>{money(spent, currency)}</b> of {money(limit, currency)}
      </span>
    </div>
  );
}
