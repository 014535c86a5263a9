/** Decline reasons that follow from the state, with their conditions, in the order in which they are checked. */
export const CHECKED_REASONS = {
  card_not_activated: 'The card is not activated.',
  card_frozen: 'The card is frozen.',
  card_cancelled: 'The card is cancelled.',
  card_expired: 'The last valid month of the card is over, by the sandbox clock.',
  cardholder_inactive: 'The cardholder is suspended or closed.',
  spend_limit_exceeded:
    'The amount exceeds what is left in a window of its kind. Windows are checked in the order `perTransaction`, `daily`, `monthly`, `allTime`.',
  card_limit_exceeded:
    "The amount exceeds what is left of the card's `limit`, which caps sales and cash together over all time.",
  insufficient_funds: "The amount exceeds the partner's available balance.",
};

/** Decline reasons that the sandbox never finds by itself, with their meanings. A request can force them. */
export const FORCED_REASONS = {
  merchant_category_not_allowed: 'The merchant category is not allowed.',
  country_not_allowed: "The merchant's country is not allowed.",
  incorrect_pin: 'The PIN was incorrect.',
  incorrect_cvv: 'The CVV was incorrect.',
  three_ds_failed: '3-D Secure authentication failed.',
  suspected_fraud: 'The issuer suspects fraud.',
  do_not_honor: 'The issuer declines without a specific reason.',
};

export type CheckedReason = keyof typeof CHECKED_REASONS;

/** Why an authorization is declined. */
export type DeclineReason = CheckedReason | keyof typeof FORCED_REASONS;

// Object.keys does not keep the type of the keys.
/** All decline reasons: those that are checked, in order, then those that are only forced. */
export const DECLINE_REASONS = Object.keys({
  ...CHECKED_REASONS,
  ...FORCED_REASONS,
}) as readonly DeclineReason[];
