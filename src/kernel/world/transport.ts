/** One HTTP request that is to be sent: a signed webhook. */
export interface OutgoingWebhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What became of a sent request. */
export interface AttemptOutcome {
  /** Where it really went, after forwarding and mapping. */
  readonly url: string;
  /** Status of the answer; null after a time-out, a failed connection or a refused destination. */
  readonly status: number | null;
  /** The answer's body as text, at most 64 KiB of it; null when there was no answer. */
  readonly body: string | null;
  /** Why it does not count as delivered, in words; null for a 2xx answer. */
  readonly cause: string | null;
  /** Wall time from start to verdict, in milliseconds. */
  readonly durationMs: number;
}

/** Carries webhooks out of the sandbox. Injected, so that whoever embeds the sandbox can replace it. */
export interface Transport {
  /** Sends one request. Never rejects: what goes wrong is the outcome's cause. `signal` ends it early. */
  send(request: OutgoingWebhook, signal: AbortSignal): Promise<AttemptOutcome>;
  /** Ends what is being sent and closes every connection; nothing is sent afterwards. */
  close(): void;
}
