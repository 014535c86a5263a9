import type { Assumption } from '../../core/world/world.ts';

/** Assumptions about the simulated card network: transactions, balances and 3-D Secure. */
export const transactionAssumptions = [
  {
    id: 'transactions',
    section: '4.12',
    decision:
      'GET /partner/transactions (filters cardId, status, from, to) and /partner/transactions/{id} return the transactions of cards: id, cardId, cardholderId, type (sale or cash), status, amount, settledAmount (null unless settled), currency, merchant, declineReason, declineDetail, reversalReason (expired or merchant, null unless reversed), createdAt and updatedAt.',
  },
  {
    id: 'decline-reasons',
    section: '2.3',
    decision:
      'An authorization is declined for the first of these reasons that applies: the card is not activated, is frozen, is cancelled or has expired; the cardholder is not active; a limit for this kind of transaction is exceeded (per transaction, daily, monthly, all time); the limit for sales and cash together is exceeded; the amount is above the available balance. The caller can force these and other reasons regardless of state. If the reason is a limit, forced or not, declineDetail contains the limit and the amount spent so far.',
  },
  {
    id: 'transaction-moves',
    section: '6.1',
    decision:
      'An authorized transaction can be settled or reversed, in full or in part, and incremented. Any other change is a 400. Each status raises card.transaction. Settling and reversing do not depend on the status of the card. An approved authorization creates one transaction_processing usage record, which refers to the transaction; changes of its amount create none.',
  },
  {
    id: 'authorization-expiry',
    section: '2.3',
    decision:
      'An authorization that is neither settled nor reversed is reversed automatically at the end of its lifetime, which starts at its createdAt, in sandbox time. The transaction then has the reversalReason expired; a reversal by the merchant has merchant. The lifetime is set when the transaction is authorized. An authorization of a fixture whose lifetime has passed already gets it again from the start of the clock. An authorization of an older state document never expires.',
  },
  {
    id: 'authorization-ttl',
    section: '6.1',
    decision:
      'The lifetime of an authorization is the authorizationTtl of its card program, where null means that it never ends. Programs without one have 7 days, or what the setting says.',
    setting: { type: 'duration', choices: ['never'], default: '7d' },
  },
  {
    id: 'increments',
    section: '6.1',
    decision:
      'An increment adds to an authorized transaction. It is checked like an authorization: status of card and cardholder, limits in the windows of the createdAt of the transaction, available balance. The limit per transaction applies to the new total; the declineDetail contains as spent what is already authorized. An approved increment raises card.transaction with the status authorized and the new amount, and does not extend the lifetime of the authorization. A declined one changes nothing and raises no event.',
  },
  {
    id: 'partial-reversals',
    section: '6.1',
    decision:
      'A reversal of a part releases it immediately, in the balance and in the windows of the createdAt of the transaction. The amount becomes the rest, which stays authorized; card.transaction has the status authorized and the new amount. A reversal of all of it makes the transaction reversed, with the amount that it last had. More than is authorized is a 400.',
  },
  {
    id: 'over-settlement',
    section: '6.1',
    decision:
      'A settlement above the authorized amount, such as one with a tip, needs force; without it, it is a 400. With it, limits and balance are not checked. The excess is taken from available, which can become negative, down to -1,000,000,000,000, and counts in the windows of the createdAt of the transaction. It raises balance.alert like any movement.',
  },
  {
    id: 'spend-windows',
    section: '2.3',
    decision:
      'Daily and monthly limits use calendar days and months in UTC, by the sandbox clock. An authorization counts immediately, in the day and month of its createdAt. A settlement corrects that amount and a reversal removes it, even if the day or month has ended. Declined transactions never count.',
  },
  {
    id: 'merchants',
    section: '2',
    decision:
      'A merchant has name, mcc, city and country. Fields that a simulated transaction omits are generated from the seed. Instead of a merchant, a request can name a preset: grocery, fuel, restaurant, hotel, atm, transit, online, subscription, airline or casino.',
  },
  {
    id: 'balance',
    section: '4.12',
    decision:
      "GET /partner/balance returns available, held, currency, lowThreshold, alertThreshold and updatedAt, the time of the last movement. The currency is that of the partner's first card program; amounts in other currencies are added without conversion. An authorization moves its amount from available to held. A settlement removes it from held and returns the rest to available, or takes the excess from it; a reversal moves it back to available. An increment is more of the same authorization. A partner starts with 10,000 unless its fixture sets another amount. A balance holds at most 1,000,000,000,000.",
  },
  {
    id: 'balance-events',
    section: '6.1',
    decision:
      'Each top-up raises balance.top_up. A movement that takes available from the alert threshold or above to below it raises balance.alert; changing the threshold does not. A daily check at 00:00 UTC of the sandbox clock raises balance.low while available is below the low threshold. Its timer exists only while that is the case.',
  },
  {
    id: 'three-d-secure',
    section: '6.1',
    decision:
      'The control plane starts a challenge on any card that is not cancelled. The amount defaults to 10. The six-digit OTP is sent in card.3ds_otp and is valid for 60 s of sandbox time. GET /_sandbox/3ds/{challengeId} returns it too while the challenge is pending. Besides it, only state documents contain it: no log, journal entry or other response does. The correct OTP approves the challenge. The third incorrect OTP, or any OTP after 60 s, fails it permanently. An approved challenge accepts no further OTP (400). Beyond 1,000 challenges per partner, a new challenge removes the oldest completed one, which is then a 404.',
  },
] as const satisfies readonly Assumption[];
