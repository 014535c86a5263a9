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
  /** The section of the interface that it completes. */
  readonly section: string;
  readonly decision: string;
  /** What can be set instead. Missing where nothing can. */
  readonly setting?: {
    readonly name: string;
    readonly type: 'name' | 'choice' | 'duration';
    readonly choices?: readonly (string | number | boolean)[];
    readonly default: string | number | boolean;
    /** The value in this world. */
    readonly value: string | number | boolean;
  };
  /** What the profile of the sandbox says about a service. Missing without a profile. */
  readonly observation?: {
    readonly verdict: 'observed' | 'contradicted' | 'unknown';
    /** Time of the observation, ISO 8601. */
    readonly at?: string;
  };
}
