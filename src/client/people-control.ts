import type { Call } from './call.ts';
import type { KycSessionDecision } from './inputs.ts';
import type { CardholderDetails, CardholderStatus, KycSession } from './records.ts';

/** Decisions about KYC submissions in flight. */
export interface KycControl {
  /** Approves the submission of a cardholder. */
  approve(cardholderId: string): Promise<CardholderDetails>;
  /** Rejects the submission of a cardholder. */
  reject(cardholderId: string): Promise<CardholderDetails>;
}

/** Decisions about KYC sessions, as the person on the hosted page would make them. */
export interface KycSessionControl {
  /** Approves a session. The sandbox makes up what the decision leaves out of the identity. */
  approve(sessionId: string, decision?: KycSessionDecision): Promise<KycSession>;
  /** Rejects a session. */
  reject(sessionId: string, decision?: KycSessionDecision): Promise<KycSession>;
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
  const decide =
    (decision: 'approve' | 'reject'): KycControl['approve'] =>
    cardholderId =>
      call('POST', `/cardholders/${encodeURIComponent(cardholderId)}/kyc/${decision}`);
  return { approve: decide('approve'), reject: decide('reject') };
}

/** The KYC sessions of the sandbox behind `call`. */
export function kycSessionControl(call: Call): KycSessionControl {
  const decide =
    (verb: 'approve' | 'reject'): KycSessionControl['approve'] =>
    (sessionId, decision = {}) =>
      call('POST', `/kyc-sessions/${encodeURIComponent(sessionId)}/${verb}`, { body: decision });
  return { approve: decide('approve'), reject: decide('reject') };
}

/** The cardholders of the sandbox behind `call`. */
export function cardholderControl(call: Call): CardholderControl {
  return {
    get: id => call('GET', `/cardholders/${encodeURIComponent(id)}`),
    setStatus: (id, status) =>
      call('POST', `/cardholders/${encodeURIComponent(id)}/status`, { body: { status } }),
  };
}
