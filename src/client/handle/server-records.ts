// Generated from the schemas of the operation table by `npm run docs`. Do not edit.

/** A world of a server, with its partners and API keys. */
export interface World {
  readonly id: string;
  /** Address of the server. */
  readonly url: string;
  /** Prefix of the control plane of this world. */
  readonly controlUrl: string;
  /** Base URL of the API; the key selects the world. */
  readonly baseUrl: string;
  readonly dashboardUrl: string;
  /** Wall time, ISO 8601. */
  readonly createdAt: string;
  /** Wall time of the last request, ISO 8601. */
  readonly lastUsedAt: string;
  readonly partners: readonly {
    readonly id: string;
    readonly name: string;
    readonly apiKey: string;
  }[];
  /** Webhook secrets by partner id, of the partners that have one. */
  readonly webhookSecrets: Readonly<Record<string, string>>;
}

/** A decision where the interface is silent. */
export interface Assumption {
  readonly id: string;
  readonly section: string;
  readonly decision: string;
}
