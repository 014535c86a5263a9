/** The topics of the guide, in the order in which someone meets them. */
export const TOPICS = [
  'start',
  'webhooks',
  'kyc',
  'cards',
  'faults',
  'time',
  'parallel',
  'ci',
  'debug',
  'scenarios',
] as const;
