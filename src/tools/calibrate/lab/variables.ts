/** The variables of `--var`: what probes use and cannot make by themselves. */
export const VARIABLES = {
  cardProgramId: 'a card program; default: the first one of the list, or that of a card',
  shareTokens: 'unused share tokens whose KYC is approved, separated by commas; default: magic tokens',
  rejectedShareToken: 'an unused share token whose KYC is rejected; default: a magic token',
  kycSessionId: 'an approved KYC session that no cardholder has used',
  cardholderId: 'an active cardholder with approved KYC; default: a new one',
  rejectedCardholderId: 'an active cardholder with rejected KYC; default: a new one',
  blockedKey: 'an API key whose IP allow-list does not contain this machine',
  previousKey: 'the API key before the last rotation, within its grace period',
  webhookUrl:
    'a URL at which the service reaches the webhook receiver of calibrate, such as that of a tunnel',
  webhookPort: 'the loopback port of that receiver; default: a free one',
  parameters: 'more names for the filters that the interface does not name, separated by commas',
} as const;

/** The name of a variable. */
export type VariableName = keyof typeof VARIABLES;

/** The values of variables. */
export type Variables = Readonly<Partial<Record<VariableName, string>>>;
