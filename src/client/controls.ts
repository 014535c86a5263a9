import type { Fault, FaultInput, JournalEntry } from './feed-types.ts';
import type {
  Balance,
  CardholderDetails,
  CardholderStatus,
  Challenge,
  ChallengeResult,
  ClockState,
  DeclineReason,
  Identity,
  KycOutcome,
  KycSession,
  Merchant,
  NewPartner,
  Partner,
  PartnerSettings,
  Transaction,
} from './records.ts';

/** The sandbox clock: time travel. */
export interface ClockControl {
  /** What time it is in the sandbox, ISO 8601. */
  now(): Promise<string>;
  /** Time, mode and how many timers wait. */
  get(): Promise<ClockState>;
  /** Moves the clock on, by `24h`, `90s` or milliseconds; resolves when all that fell due on the way has run. */
  advance(by: string | number): Promise<ClockState>;
  /** Stops the clock, where it is or at a moment. */
  freeze(at?: string | Date): Promise<ClockState>;
  /** Lets it run on with wall time. */
  resume(): Promise<ClockState>;
}

/** What a share token is to be like; everything has a default. */
export interface ShareTokenRequest {
  readonly partnerId?: string;
  readonly source?: 'idp1' | 'idp2';
  /** What the simulated provider will decide about the person. Default: `approve`. */
  readonly outcome?: KycOutcome;
  readonly identity?: Partial<Identity>;
  /** For example `10m`. */
  readonly expiresIn?: string;
}

/** Decisions about KYC submissions in flight. */
export interface KycControl {
  /** Approves the submission of a cardholder now. */
  approve(cardholderId: string): Promise<CardholderDetails>;
  /** Rejects the submission of a cardholder now. */
  reject(cardholderId: string): Promise<CardholderDetails>;
}

/** Decisions about KYC sessions, as the person on the hosted page would take them. */
export interface KycSessionControl {
  /** Approves a session, with the given identity or a made-up one. */
  approve(sessionId: string, given?: { readonly identity?: Partial<Identity> }): Promise<KycSession>;
  /** Rejects a session. */
  reject(sessionId: string, given?: { readonly identity?: Partial<Identity> }): Promise<KycSession>;
}

/** What the API does not show of cardholders, and does not change. */
export interface CardholderControl {
  /** A cardholder with address, KYC state and lock reason. */
  get(id: string): Promise<CardholderDetails>;
  /** Suspends, reactivates or closes a cardholder. */
  setStatus(id: string, status: CardholderStatus): Promise<CardholderDetails>;
}

/** A use of a card. */
export interface AuthorizeRequest {
  readonly cardId: string;
  readonly amount: number;
  /** Default: `sale`. */
  readonly type?: 'sale' | 'cash';
  readonly merchant?: Partial<Merchant>;
  /** Declines it, whatever the card could pay. */
  readonly declineReason?: DeclineReason;
}

/** The simulated card network, and the money behind it. */
export interface Simulator {
  /** Uses a card: authorized, or declined with a reason. */
  authorize(request: AuthorizeRequest): Promise<Transaction>;
  /** Settles an authorized transaction, wholly or in part. */
  settle(transactionId: string, given?: { readonly amount?: number }): Promise<Transaction>;
  /** Reverses an authorized transaction. */
  reverse(transactionId: string): Promise<Transaction>;
  /** Starts a 3-D Secure challenge; the passcode goes out as `card.3ds_otp`. */
  challenge(
    cardId: string,
    given?: { readonly amount?: number; readonly merchant?: Partial<Merchant> },
  ): Promise<Challenge>;
  /** Answers a challenge, as the cardholder would. */
  verify(challengeId: string, otp: string): Promise<ChallengeResult>;
  /** Adds money to a partner's balance, the first partner's unless another is named. */
  topUp(given: { readonly amount: number; readonly partnerId?: string }): Promise<Balance>;
}

/** Faults of the API: errors, delays and lost connections on demand. */
export interface FaultControl {
  /** Has matching requests fail from now on. */
  add(fault: FaultInput): Promise<Fault>;
  /** Every fault, with how often it has acted. */
  list(): Promise<Fault[]>;
  /** Takes one away. */
  remove(id: string): Promise<void>;
  /** Takes all away. */
  clear(): Promise<void>;
}

/** The journal: what was asked of the API, and what decided the answer. */
export interface RequestControl {
  /** The last 1,000 requests that match, newest first. */
  list(filter?: {
    readonly path?: string;
    readonly method?: string;
    readonly status?: number;
    readonly limit?: number;
  }): Promise<JournalEntry[]>;
  /** One request. */
  get(id: string): Promise<JournalEntry>;
  /** Empties the journal. */
  clear(): Promise<void>;
}

/** The partners of the sandbox. */
export interface PartnerControl {
  /** All partners with their current keys. */
  list(): Promise<Partner[]>;
  /** Adds one with a key, a card program and whatever else a fixture gives it. */
  create(given?: { readonly name?: string; readonly fixture?: string }): Promise<NewPartner>;
  /** A partner's settings. */
  settings(id: string): Promise<PartnerSettings>;
  /** Changes settings; what is left out stays. */
  updateSettings(id: string, change: Partial<PartnerSettings>): Promise<PartnerSettings>;
  /** Issues a new key; the old one works on for a grace period, 24 h unless told. */
  rotateKey(
    id: string,
    given?: { readonly gracePeriod?: string },
  ): Promise<{ readonly apiKey: string; readonly previousKeyValidUntil: string }>;
}
