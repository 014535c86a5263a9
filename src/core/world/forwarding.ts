/** Where webhooks are sent, and which URLs may be configured. It is not part of the state: a reset does not change it. */
export interface Forwarding {
  /** The URL that every webhook is sent to; null to use the configured URLs. */
  readonly url: string | null;
  /** Webhooks for URLs below a key go to the same path below its value. The first match applies. */
  readonly map: Readonly<Record<string, string>>;
  /** Whether webhook configurations may use http:// besides https://. */
  readonly allowHttp: boolean;
}

/** A change of the forwarding. What is left out is as it was at the start. */
export type ForwardingChange = { readonly [K in keyof Forwarding]?: Forwarding[K] | undefined };
