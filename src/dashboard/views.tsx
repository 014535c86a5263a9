import type { ComponentType } from 'preact';
import type { IconName } from './ui/icons.tsx';
import { Overview } from './views/overview/overview.tsx';
import { Requests } from './views/traffic/requests.tsx';
import { Cards } from './views/cards/cards.tsx';
import { Transactions } from './views/cards/transactions.tsx';
import { Cardholders } from './views/people/cardholders.tsx';
import { Sessions } from './views/people/kyc-sessions.tsx';
import { Tokens } from './views/people/share-tokens.tsx';
import { Assumptions } from './views/sandbox/assumptions.tsx';
import { Faults } from './views/sandbox/faults.tsx';
import { SettingsPage } from './views/sandbox/settings.tsx';
import { Deliveries } from './views/traffic/deliveries.tsx';

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
