import type { EventType } from '../../service/webhooks/event-types.ts';
import examples from './response-examples.json' with { type: 'json' };

/** The response to a valid input of an operation, or to a request that is refused. Secrets are masked. */
export interface ResponseExample {
  readonly operation: string;
  readonly summary: string;
  readonly status: number;
  readonly body: unknown;
}

/** The responses of a new sandbox with the fixture `starter`. */
export const RESPONSES: readonly ResponseExample[] = examples.responses;

export interface PayloadExample {
  readonly id: string;
  readonly eventType: string;
  readonly createdAt: string;
  readonly data: unknown;
}

export const PAYLOADS: Readonly<Record<EventType, PayloadExample>> = examples.payloads;
