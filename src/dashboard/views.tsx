import type { ComponentType } from 'preact';
import type { IconName } from './ui/icons.tsx';
import { Assumptions } from './views/assumptions.tsx';
import { Cardholders } from './views/cardholders.tsx';
import { Cards } from './views/cards.tsx';
import { Deliveries } from './views/deliveries.tsx';
import { Faults } from './views/faults.tsx';
import { Overview } from './views/overview.tsx';
import { Requests } from './views/requests.tsx';
import { Sessions } from './views/sessions.tsx';
import { SettingsPage } from './views/settings.tsx';
import { Tokens } from './views/tokens.tsx';
import { Transactions } from './views/transactions.tsx';

/** A page of the dashboard: its name in the address, its place in the menu, and what shows it. */
export interface View {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  readonly group: string;
  /** With `g` before it, the shortcut that leads there. */
  readonly key: string;
  readonly Page: ComponentType;
}

/** Every page, in the order of the menu. */
export const VIEWS: readonly View[] = [
  { name: 'overview', title: 'Overview', icon: 'overview', group: '', key: 'o', Page: Overview },
  {
    name: 'cardholders',
    title: 'Cardholders',
    icon: 'people',
    group: 'Records',
    key: 'h',
    Page: Cardholders,
  },
  { name: 'cards', title: 'Cards', icon: 'card', group: 'Records', key: 'c', Page: Cards },
  {
    name: 'transactions',
    title: 'Transactions',
    icon: 'transfer',
    group: 'Records',
    key: 't',
    Page: Transactions,
  },
  { name: 'tokens', title: 'Share tokens', icon: 'lock', group: 'Records', key: 'k', Page: Tokens },
  { name: 'sessions', title: 'KYC sessions', icon: 'session', group: 'Records', key: 'y', Page: Sessions },
  { name: 'requests', title: 'Requests', icon: 'request', group: 'Traffic', key: 'r', Page: Requests },
  { name: 'deliveries', title: 'Webhooks', icon: 'webhook', group: 'Traffic', key: 'w', Page: Deliveries },
  { name: 'faults', title: 'Faults', icon: 'fault', group: 'Sandbox', key: 'f', Page: Faults },
  { name: 'settings', title: 'Settings', icon: 'settings', group: 'Sandbox', key: 's', Page: SettingsPage },
  { name: 'assumptions', title: 'Assumptions', icon: 'book', group: 'Sandbox', key: 'a', Page: Assumptions },
];
