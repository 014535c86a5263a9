/** The examples of operations whose commands have no alias, by id: the rest of the command line. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  'stories.get': 'card-lifecycle',
  'stories.play': 'card-lifecycle --to 2',
  'partners.getSettings': 'partner_acme',
  'partners.updateSettings': 'partner_acme --low-threshold 500',
  'partners.rotateKey': 'partner_acme --grace-period 1h',
  'kycSessions.details': 'kycs_omar_pending',
  'cardholders.kyc.approve': 'ch_nora_in_flight',
  'cardholders.kyc.reject': 'ch_nora_in_flight',
  'cards.details': 'card_mia_active',
  'transactions.details': '"$(card-sandbox simulate authorize card_mia_active 12.50 --print id)"',
  'programs.details': 'prog_travel',
  'shareTokens.details': 'tok_ana_approve',
  'webhooks.changeConfig':
    '--webhook-url https://partner.test/webhooks --webhook-secret a-secret-of-some-length',
};
