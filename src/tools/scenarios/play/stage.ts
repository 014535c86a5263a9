import type { Client } from '../../../client/client.ts';
import type { WebhookReceiver } from '../../../client/webhook-receiver.ts';

export interface WallClock {
  sleep(ms: number): Promise<void>;
  /** Returns a monotonic reading in milliseconds. */
  elapsed(): number;
}

/** What a scenario is played against: a server, and what it can be observed with. */
export interface Stage {
  readonly api: Client;
  readonly apiKey: string;
  readonly control: Client | null;
  /** Where webhooks arrive, or the reason why they cannot. */
  readonly inbox: WebhookReceiver | string;
  /** Directs the webhooks of the partner to the inbox again. */
  readonly redirect?: (() => Promise<void>) | undefined;
  readonly wallClock: WallClock;
  /** Whether only the steps move the sandbox clock. */
  readonly holdsClock?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}
