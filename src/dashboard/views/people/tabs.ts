import type { Tab } from '../../ui/panel.tsx';

/** The tabs of the page of cardholders. */
export const PEOPLE_TABS: readonly Tab[] = [
  { name: 'cardholders', title: 'Cardholders' },
  { name: 'share-tokens', title: 'Share tokens' },
  { name: 'kyc-sessions', title: 'KYC sessions' },
];
