import type { Tab } from '../../ui/panel.tsx';

/** The tabs of the page of webhooks. */
export const WEBHOOK_TABS: readonly Tab[] = [
  { name: 'webhooks', title: 'Deliveries' },
  { name: 'webhook-settings', title: 'Configuration' },
];
