import type { Incoming } from './incoming.ts';

/** A webhook that came. */
export interface Arrival extends Incoming {
  /** The status that it was answered with. */
  readonly answered: number;
}

/** Where the webhooks of a scenario arrive. One that listens over HTTP is made by `openInbox`. */
export interface Inbox {
  /** What is configured as webhookUrl. */
  readonly url: string;
  /** What is configured as webhookSecret, by which signatures are verified. */
  readonly secret: string;
  /** Everything that has come, in the order of arrival. */
  readonly arrivals: readonly Arrival[];
  /** Answers with this status from here on. */
  respond(status: number): void;
}
