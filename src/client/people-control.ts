import type { Call } from './call.ts';
import type {
  CardholderDetails,
  CardholderStatus,
  KycRejection,
  KycSession,
  KycSessionDecision,
  KycSessionRejection,
  RejectedKycSession,
} from './generated/records.ts';

/** Decisions about KYC submissions in flight. */
export interface KycControl {
  /** Approves the submission of a cardholder. */
  approve(cardholderId: string): Promise<CardholderDetails>;
  /** Rejects the submission of a cardholder, with reasons that neither the API nor webhooks contain. */
  reject(cardholderId: string, rejection?: KycRejection): Promise<CardholderDetails>;
}

/** Decisions about KYC sessions, as the person on the hosted page would make them. */
export interface KycSessionControl {
  /** Approves a session. The sandbox makes up what the decision leaves out of the identity. */
  approve(sessionId: string, decision?: KycSessionDecision): Promise<KycSession>;
  /** Rejects a session, with reasons that neither the API nor webhooks contain. */
  reject(sessionId: string, rejection?: KycSessionRejection): Promise<RejectedKycSession>;
}

/** What the API neither shows nor changes about cardholders. */
export interface CardholderControl {
  /** Resolves with a cardholder, including address, KYC state and lock reason. */
  get(id: string): Promise<CardholderDetails>;
  /** Suspends, reactivates or closes a cardholder. */
  setStatus(id: string, status: CardholderStatus): Promise<CardholderDetails>;
}

/** The KYC submissions of the sandbox behind `call`. */
export function kycControl(call: Call): KycControl {
  const path = (id: string, verb: string) => `/cardholders/${encodeURIComponent(id)}/kyc/${verb}`;
  return {
    approve: id => call('POST', path(id, 'approve')),
    reject: (id, rejection = {}) => call('POST', path(id, 'reject'), { body: rejection }),
  };
}

/** The KYC sessions of the sandbox behind `call`. */
export function kycSessionControl(call: Call): KycSessionControl {
  const path = (id: string, verb: string) => `/kyc-sessions/${encodeURIComponent(id)}/${verb}`;
  return {
    approve: (id, decision = {}) => call('POST', path(id, 'approve'), { body: decision }),
    reject: (id, rejection = {}) => call('POST', path(id, 'reject'), { body: rejection }),
  };
}

/** The cardholders of the sandbox behind `call`. */
export function cardholderControl(call: Call): CardholderControl {
  return {
    get: id => call('GET', `/cardholders/${encodeURIComponent(id)}`),
    setStatus: (id, status) =>
      call('POST', `/cardholders/${encodeURIComponent(id)}/status`, { body: { status } }),
  };
}
