import type { View } from './ui/view.ts';
import { activityView } from './views/activity/activity.tsx';
import { cardsView } from './views/cards/cards.tsx';
import { transactionsView } from './views/cards/transactions.tsx';
import { homeView } from './views/home/home.tsx';
import { cardholdersView } from './views/people/cardholders.tsx';
import { kycSessionsView } from './views/people/kyc-sessions.tsx';
import { shareTokensView } from './views/people/share-tokens.tsx';
import { faultsView } from './views/sandbox/faults.tsx';
import { settingsView } from './views/sandbox/settings.tsx';
import { timeView } from './views/sandbox/time.tsx';
import { webhookSettingsView } from './views/webhooks/configuration.tsx';
import { deliveriesView } from './views/webhooks/deliveries.tsx';

/** The pages in the order of the menu, each followed by its other tabs. */
export const VIEWS: readonly View[] = [
  homeView,
  cardholdersView,
  shareTokensView,
  kycSessionsView,
  cardsView,
  transactionsView,
  activityView,
  deliveriesView,
  webhookSettingsView,
  timeView,
  faultsView,
  settingsView,
];
