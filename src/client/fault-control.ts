import type { Call } from './call.ts';
import type { Fault, WebhookFault } from './feed-types.ts';
import type { FaultInput, WebhookFaultInput } from './inputs.ts';

/** Faults of the API: errors, delays and lost connections on demand. */
export interface FaultControl {
  /** Adds a fault, which applies to matching requests from now on. */
  add(fault: FaultInput): Promise<Fault>;
  /** Resolves with all faults and how often each has applied. */
  list(): Promise<Fault[]>;
  /** Removes a fault. */
  remove(id: string): Promise<void>;
  /** Removes all faults. */
  clear(): Promise<void>;
}

/** Faults of webhook deliveries. */
export interface WebhookFaultControl {
  /** Adds a fault, which applies to matching deliveries from now on. */
  add(fault: WebhookFaultInput): Promise<WebhookFault>;
  /** Resolves with all webhook faults and how often each has applied. */
  list(): Promise<WebhookFault[]>;
  /** Removes all webhook faults. */
  clear(): Promise<void>;
}

/** The API faults of the sandbox behind `call`. */
export function faultControl(call: Call): FaultControl {
  return {
    add: fault => call('POST', '/faults', { body: fault }),
    list: () => call('GET', '/faults'),
    remove: id => call('DELETE', `/faults/${encodeURIComponent(id)}`),
    clear: () => call('DELETE', '/faults'),
  };
}

/** The webhook faults of the sandbox behind `call`. */
export function webhookFaultControl(call: Call): WebhookFaultControl {
  return {
    add: fault => call('POST', '/webhook-faults', { body: fault }),
    list: () => call('GET', '/webhook-faults'),
    clear: () => call('DELETE', '/webhook-faults'),
  };
}
