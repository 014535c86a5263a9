export interface OutgoingWebhook {
  /** The id of the delivery event, where it is one of a world. */
  readonly event?: string;
  /** The id of the record that it is about. Webhooks about one record arrive in the order in which they are sent. */
  readonly record?: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Wall time until an attempt without a complete response fails, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
}

export interface AttemptOutcome {
  /** The URL that the request was sent to, after forwarding and mapping. */
  readonly url: string;
  /** Status of the response; null after a timeout, a failed connection or a refused destination. */
  readonly status: number | null;
  /** The first 64 KiB of the response body as text; null without a response. */
  readonly body: string | null;
  readonly cause: string | null;
  /** Wall time from start to outcome, in milliseconds. */
  readonly durationMs: number;
  /** The headers as they were sent, where that was earlier. Default: the headers of the request. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
}

/** Sends webhooks. Injected, so that an embedding program can replace it. */
export interface Transport {
  /** Sends a request. Never rejects: an error is the `cause` of the outcome. `signal` aborts it. */
  send(request: OutgoingWebhook, signal: AbortSignal): Promise<AttemptOutcome>;
  /** Aborts requests in flight and closes all connections. Nothing is sent afterwards. */
  close(): void;
}

/** Where webhooks are sent, and which URLs may be configured. It is not part of the state: a reset does not change it. */
export interface Forwarding {
  /** The URL that every webhook is sent to; null to use the configured URLs. */
  readonly url: string | null;
  /** Webhooks for URLs below a key go to the same path below its value. The first match applies. */
  readonly map: Readonly<Record<string, string>>;
  /** Whether webhook configurations may use http:// besides https://. */
  readonly allowHttp: boolean;
}

/** A change of the forwarding. Omitted members are as they were at the start. */
export type ForwardingChange = { readonly [K in keyof Forwarding]?: Forwarding[K] | undefined };
