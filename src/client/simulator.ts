import type {
  AuthorizeRequest,
  Balance,
  CardDetails,
  CardLimits,
  Challenge,
  ChallengeRequest,
  ChallengeResult,
  IncrementRequest,
  IncrementResult,
  IssueActiveCardRequest,
  ReverseRequest,
  SettleRequest,
  TopUpRequest,
  Transaction,
} from './generated/records.ts';
import { type CallControl, controlMethods } from './operation-calls.ts';

/** The simulated card network, and the money behind it. Amounts are in the currency of the card or the balance. */
export interface Simulator {
  /**
   * Uses a card. Resolves with a transaction that is authorized, or declined with a reason.
   *
   * @example
   * const { status } = await sandbox.simulate.authorize({ cardId, amount: 42.5, merchant: 'hotel' });
   */
  authorize(request: AuthorizeRequest): Promise<Transaction>;
  /**
   * Adds to the amount of an authorized transaction. Resolves with the transaction and `approved: true`, or with the
   * reason why the increment was declined.
   */
  increment(transactionId: string, request: IncrementRequest): Promise<IncrementResult>;
  /** Settles an authorized transaction, in full unless another amount is passed; a larger one needs `force`. */
  settle(transactionId: string, request?: SettleRequest): Promise<Transaction>;
  /** Reverses an authorized transaction, in full unless a smaller amount is passed. */
  reverse(transactionId: string, request?: ReverseRequest): Promise<Transaction>;
  /** Starts a 3-D Secure challenge. Its passcode is sent in the webhook `card.3ds_otp`. */
  challenge(cardId: string, request?: ChallengeRequest): Promise<Challenge>;
  /**
   * Submits the passcode of a challenge, as the cardholder would; without `otp`, the correct one. A wrong one resolves
   * as well.
   */
  verify(challengeId: string, otp?: string): Promise<ChallengeResult>;
  /**
   * Issues a card and activates it, to a new cardholder with approved KYC unless one is named. Only `activate: false`
   * leaves it in status created.
   */
  card(request?: Partial<IssueActiveCardRequest>): Promise<CardDetails>;
  /** Changes the limits of a card, as a program manager would; omitted members keep their values. */
  limits(cardId: string, change: CardLimits): Promise<CardDetails>;
  /** Adds money to the balance of a partner, by default the first one. */
  topUp(request: TopUpRequest): Promise<Balance>;
}

export function createSimulator(call: CallControl): Simulator {
  return {
    ...controlMethods(call, {
      authorize: 'transactions.authorize',
      increment: 'transactions.increment',
      settle: 'transactions.settle',
      reverse: 'transactions.reverse',
      challenge: 'threeDSecure.start',
      limits: 'cards.setLimits',
      topUp: 'balance.topUp',
    }),
    async verify(id, otp) {
      const passcode = otp ?? (await call('threeDSecure.get', id)).otp;
      // A challenge that is not pending has no passcode; the response to any text says what became of it.
      return call('threeDSecure.verify', id, { otp: passcode ?? 'none' });
    },
    async card({ cardholderId, ...request } = {}) {
      const { partnerId, cardProgramId } = request;
      const id = cardholderId ?? (await call('cardholders.addApproved', { partnerId, cardProgramId })).id;
      return call('cards.issueActive', { ...request, cardholderId: id });
    },
  };
}
