import type { Call } from './call.ts';
import type { Fault, FaultInput, WebhookFault, WebhookFaultInput } from './generated/records.ts';

/** Which faults are meant: those limited to one partner. Default: all. */
export interface FaultScope {
  readonly partnerId?: string;
}

/** Faults of the API: errors, delays and lost connections on demand. */
export interface FaultControl {
  /** Adds a fault, which applies to matching requests from now on. */
  add(fault: FaultInput): Promise<Fault>;
  /** Resolves with all faults and how often each has applied. */
  list(scope?: FaultScope): Promise<Fault[]>;
  /** Removes a fault. */
  remove(id: string): Promise<void>;
  /** Removes all faults, or those of one partner. */
  clear(scope?: FaultScope): Promise<void>;
}

/** Faults of webhook deliveries. */
export interface WebhookFaultControl {
  /** Adds a fault, which applies to matching deliveries from now on. */
  add(fault: WebhookFaultInput): Promise<WebhookFault>;
  /** Resolves with all webhook faults and how often each has applied. */
  list(scope?: FaultScope): Promise<WebhookFault[]>;
  /** Removes all webhook faults, or those of one partner. */
  clear(scope?: FaultScope): Promise<void>;
}

/** The API faults of the sandbox behind `call`. */
export function faultControl(call: Call): FaultControl {
  return {
    add: fault => call('POST', '/faults', { body: fault }),
    list: (scope = {}) => call('GET', '/faults', { query: scope }),
    remove: id => call('DELETE', `/faults/${encodeURIComponent(id)}`),
    clear: (scope = {}) => call('DELETE', '/faults', { query: scope }),
  };
}

/** The webhook faults of the sandbox behind `call`. */
export function webhookFaultControl(call: Call): WebhookFaultControl {
  return {
    add: fault => call('POST', '/webhook-faults', { body: fault }),
    list: (scope = {}) => call('GET', '/webhook-faults', { query: scope }),
    clear: (scope = {}) => call('DELETE', '/webhook-faults', { query: scope }),
  };
}
