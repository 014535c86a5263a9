import type { View } from './ui/view.ts';
import { cardsView } from './views/cards/cards.tsx';
import { transactionsView } from './views/cards/transactions.tsx';
import { overviewView } from './views/overview/overview.tsx';
import { cardholdersView } from './views/people/cardholders.tsx';
import { kycSessionsView } from './views/people/kyc-sessions.tsx';
import { shareTokensView } from './views/people/share-tokens.tsx';
import { assumptionsView } from './views/sandbox/assumptions.tsx';
import { faultsView } from './views/sandbox/faults.tsx';
import { settingsView } from './views/sandbox/settings.tsx';
import { checkpointsView } from './views/time/checkpoints.tsx';
import { timeView } from './views/time/time.tsx';
import { deliveriesView } from './views/traffic/deliveries.tsx';
import { historyView } from './views/traffic/history.tsx';
import { requestsView } from './views/traffic/requests.tsx';

export const VIEWS: readonly View[] = [
  overviewView,
  cardholdersView,
  cardsView,
  transactionsView,
  shareTokensView,
  kycSessionsView,
  requestsView,
  deliveriesView,
  historyView,
  timeView,
  checkpointsView,
  faultsView,
  settingsView,
  assumptionsView,
];
