import type { Assumption } from '../../core/world/world.ts';
import { CHECKED_REASONS, FORCED_REASONS } from '../transactions/decline-reasons.ts';

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
    decision: `An authorization is declined for the first of these reasons that applies: ${Object.keys(CHECKED_REASONS).join(', ')}. The caller can force these regardless of state, and also ${Object.keys(FORCED_REASONS).join(', ')}. If the reason is a limit, forced or not, declineDetail contains the limit and the amount spent so far. See docs/card-network.md#decline-reasons.`,
  },
  {
    id: 'transaction-moves',
    section: '6.1',
    decision:
      'An authorized transaction can be settled or reversed, in full or in part, whatever the status of its card, and incremented; any other change is a 400. Each status raises card.transaction. An approved authorization creates one transaction_processing usage record, which refers to the transaction; changes of its amount create none.',
  },
  {
    id: 'authorization-expiry',
    section: '2.3',
    decision:
      'An authorization that is neither settled nor reversed is reversed automatically at the end of its lifetime, which starts at its createdAt, in sandbox time. The transaction then has the reversalReason expired; a reversal by the merchant has merchant. The lifetime is set when the transaction is authorized. See docs/card-network.md#expiry.',
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
      'An increment adds to an authorized transaction and is checked like an authorization, in the windows of the createdAt of the transaction; the limit per transaction applies to the new total. An approved increment raises card.transaction with the status authorized and the new amount. A declined one changes nothing and raises no event. See docs/card-network.md#amounts-that-change.',
  },
  {
    id: 'partial-reversals',
    section: '6.1',
    decision:
      'A reversal of a part releases it immediately, in the balance and in the windows of the createdAt of the transaction; the rest stays authorized, and card.transaction has it as the new amount. A reversal of all of it makes the transaction reversed, with the amount that it last had. More than is authorized is a 400.',
  },
  {
    id: 'over-settlement',
    section: '6.1',
    decision:
      'A settlement above the authorized amount, such as one with a tip, needs force; without it, it is a 400. With it, limits and balance are not checked: the excess counts in the windows of the createdAt of the transaction and is taken from available, which can become negative, down to -1,000,000,000,000. It raises balance.alert like any movement.',
  },
  {
    id: 'spend-windows',
    section: '2.3',
    decision:
      'Daily and monthly limits use calendar days and months in UTC, by the sandbox clock. An authorization counts immediately, in the day and month of its createdAt; a settlement corrects that amount and a reversal removes it, even if the day or month has ended. Declined transactions never count.',
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
      "GET /partner/balance returns available, held, currency, lowThreshold, alertThreshold and updatedAt, the time of the last movement. The currency is that of the partner's first card program; amounts in other currencies are added without conversion. A partner starts with 10,000 unless its fixture sets another amount, and a balance holds at most 1,000,000,000,000. See docs/card-network.md#balance.",
  },
  {
    id: 'balance-events',
    section: '6.1',
    decision:
      'Each top-up raises balance.top_up. A movement that takes available from the alert threshold or above to below it raises balance.alert; changing the threshold does not. A daily check at 00:00 UTC of the sandbox clock raises balance.low while available is below the low threshold, and has a timer only then.',
  },
  {
    id: 'three-d-secure',
    section: '6.1',
    decision:
      'The control plane starts a challenge on any card that is not cancelled, by default over 10; card.3ds_otp contains its six-digit OTP, which is valid for 60 s of sandbox time. The correct OTP approves the challenge; the third incorrect one, or any after 60 s, fails it permanently. An approved challenge accepts no further OTP (400). See docs/card-network.md#3-d-secure.',
  },
] as const satisfies readonly Assumption[];
