import type { Client } from '../../client/client.ts';
import type { Inbox } from '../receiver/inbox.ts';

/** Wall time, as far as playing needs it. */
export interface Pace {
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>;
  /** A steadily rising reading in milliseconds. */
  elapsed(): number;
}

/** What a scenario is played on: a server, and what there is around it. */
export interface Stage {
  /** Reaches the API. */
  readonly api: Client;
  readonly apiKey: string;
  /** Reaches the control plane; null where there is none. */
  readonly control: Client | null;
  /** Where webhooks arrive; a text says why they cannot. */
  readonly inbox: Inbox | string;
  readonly pace: Pace;
  /** Ends the play early. */
  readonly signal?: AbortSignal | undefined;
}
