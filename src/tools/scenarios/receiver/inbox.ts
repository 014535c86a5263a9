import type { Incoming } from './incoming.ts';

/** A webhook that arrived. */
export interface Arrival extends Incoming {
  /** The status of the response to it. */
  readonly responseStatus: number;
}

/** Where the webhooks of a scenario arrive. `openInbox` creates one that listens over HTTP. */
export interface Inbox {
  /** The configured webhookUrl. */
  readonly url: string;
  /** The configured webhookSecret, which verifies signatures. */
  readonly secret: string;
  /** All webhooks, in the order of arrival. */
  readonly arrivals: readonly Arrival[];
  /** Responds with this status from now on. */
  respond(status: number): void;
  /** Drops all webhooks but the first ones, as many as this. */
  keep(count: number): void;
}
