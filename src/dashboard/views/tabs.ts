import type { Tab } from '../ui/panel.tsx';

export const PEOPLE_TABS: readonly Tab[] = [
  { name: 'cardholders', title: 'Cardholders' },
  { name: 'share-tokens', title: 'Share tokens' },
  { name: 'kyc-sessions', title: 'KYC sessions' },
];

export const WEBHOOK_TABS: readonly Tab[] = [
  { name: 'webhooks', title: 'Deliveries' },
  { name: 'webhook-settings', title: 'Configuration' },
];
