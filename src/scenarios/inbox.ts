/** A webhook that came. */
export interface Arrival {
  /** The delivery's id; null where the body names none. */
  readonly id: string | null;
  readonly eventType: string | null;
  /** The JSON of the body, or its text where it is no JSON. */
  readonly body: unknown;
  /** What is wrong with the signature, in words; null when it is valid. */
  readonly problem: string | null;
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
