import type { Service, WallTime } from '../service/service.ts';

const POLL_MS = 100;

/** The beginning of the names of all records that probes create. */
export const NAME_PREFIX = 'card-sandbox-calibration-';

/** What a lab works with. */
export interface LabOptions {
  readonly service: Service;
  readonly variables: Variables;
  readonly time: WallTime;
  readonly signal: AbortSignal;
  /** Whether probes may create and change records. */
  readonly write: boolean;
  /** The signing secret of webhooks while probes change their configuration. */
  readonly webhookSecret: string;
  /** How long to wait for what the service does by itself, such as a KYC decision. */
  readonly asyncTimeoutMs: number;
}

/** What probes share: the service, the records that they have created, and the tasks that clean up after them. */
export class Lab {
  readonly service: Service;
  readonly variables: Variables;
  readonly write: boolean;
  readonly webhookSecret: string;
  readonly time: WallTime;
  readonly #options: LabOptions;
  readonly #run: string;
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #cleanups: (() => Promise<void>)[] = [];
  #names = 0;

  constructor(options: LabOptions) {
    this.#options = options;
    this.service = options.service;
    this.variables = options.variables;
    this.write = options.write;
    this.webhookSecret = options.webhookSecret;
    this.time = options.time;
    this.#run = options.time.now().toString(36);
  }

  /** Returns a name that no other record has, for an external id or the part of an e-mail address before the @. */
  newName(): string {
    this.#names += 1;
    return `${NAME_PREFIX}${this.#run}-${this.#names}`;
  }

  /** Makes something once for all probes. A failure is shared, too. */
  once<T>(what: string, make: () => Promise<T>): Promise<T> {
    const made = this.#made.get(what) ?? make();
    this.#made.set(what, made);
    // What was made under a name has the type of its maker.
    return made as Promise<T>;
  }

  /** Calls `check` until it returns something, or the timeout ends. Resolves with null in the latter case. */
  async until<T>(
    check: () => Promise<T | null>,
    asyncTimeoutMs = this.#options.asyncTimeoutMs,
  ): Promise<T | null> {
    const end = this.time.now() + asyncTimeoutMs;
    for (;;) {
      const result = await check();
      if (result !== null || this.time.now() >= end) return result;
      await this.time.sleep(POLL_MS, this.#options.signal);
      this.#options.signal.throwIfAborted();
    }
  }

  /** Adds a task that runs when all probes have ended, or are stopped: the last one first. */
  atEnd(cleanup: () => Promise<void>): void {
    this.#cleanups.push(cleanup);
  }

  /** Runs the tasks of `atEnd`. Resolves with the messages of those that fail. */
  async cleanUp(): Promise<readonly string[]> {
    const problems: string[] = [];
    for (let cleanup = this.#cleanups.pop(); cleanup !== undefined; cleanup = this.#cleanups.pop()) {
      await cleanup().catch(error => problems.push(error instanceof Error ? error.message : String(error)));
    }
    return problems;
  }
}

/** The variables of `--var`: what probes use and cannot make by themselves. */
export const VARIABLES = {
  cardProgramId: 'a card program; default: the first one of the list, or that of a card',
  shareTokens: 'unused share tokens whose KYC is approved, separated by commas; default: magic tokens',
  rejectedShareToken: 'an unused share token whose KYC is rejected; default: a magic token',
  kycSessionId: 'an approved KYC session that no cardholder has used',
  cardholderId: 'an active cardholder with approved KYC; default: a new one',
  rejectedCardholderId: 'an active cardholder with rejected KYC; default: a new one',
  blockedKey: 'an API key whose IP allow-list does not contain this machine',
  previousKey: 'the API key before the last rotation, within its grace period',
  webhookUrl:
    'a URL at which the service reaches the webhook receiver of calibrate, such as that of a tunnel',
  webhookPort: 'the loopback port of that receiver; default: a free one',
  parameters: 'more names for the filters that the interface does not name, separated by commas',
} as const;

/** The name of a variable. */
export type VariableName = keyof typeof VARIABLES;

/** The values of variables. */
export type Variables = Readonly<Partial<Record<VariableName, string>>>;
