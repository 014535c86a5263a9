import type { Call } from './call.ts';
import type {
  NewPartner,
  NewPartnerRequest,
  Partner,
  PartnerSettings,
  RotatedKey,
  RotateKeyRequest,
} from './generated/records.ts';

/** The partners of the sandbox. */
export interface PartnerControl {
  /** Resolves with all partners and their current API keys. */
  list(): Promise<Partner[]>;
  /** Adds a partner with an API key, a card program and the records of a fixture. */
  create(request?: NewPartnerRequest): Promise<NewPartner>;
  /** Resolves with the settings of a partner. */
  settings(id: string): Promise<PartnerSettings>;
  /** Changes settings; omitted members keep their values. */
  updateSettings(id: string, change: Partial<PartnerSettings>): Promise<PartnerSettings>;
  /** Issues a new API key. The previous one keeps working for a grace period, 24 h by default. */
  rotateKey(id: string, request?: RotateKeyRequest): Promise<RotatedKey>;
}

/** The partners of the sandbox behind `call`. */
export function partnerControl(call: Call): PartnerControl {
  const partner = (id: string) => `/partners/${encodeURIComponent(id)}`;
  return {
    list: () => call('GET', '/partners'),
    create: (request = {}) => call('POST', '/partners', { body: request }),
    settings: id => call('GET', `${partner(id)}/settings`),
    updateSettings: (id, change) => call('PATCH', `${partner(id)}/settings`, { body: change }),
    rotateKey: (id, request = {}) => call('POST', `${partner(id)}/keys/rotate`, { body: request }),
  };
}
