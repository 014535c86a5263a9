import type { RealTime } from '../../core/time/realtime.ts';
import type { NameTranslator } from '../../core/values/names.ts';
import { Duration } from '../../core/values/schemas/duration-schema.ts';
import type { Secrets } from '../../core/values/secrets.ts';
import { Timestamp } from '../../core/values/timestamp.ts';
import type { Transport } from '../../core/world/transport.ts';
import type { KeySource } from '../../core/world/world.ts';
import type { WorldSetup } from '../../core/world/world-state.ts';
import { settingsOf } from '../../service/assumptions/settings.ts';
import { recordDelivery } from '../../service/webhooks/sending.ts';
import type { ServerDisturbance } from '../disturbance/apply-plan.ts';
import { WorldDisturbance } from '../disturbance/world-disturbance.ts';
import type { DeliveryLogEntry } from '../log-entries.ts';
import type { CoreOptions, ResolvedOptions } from '../options.ts';
import type { RecordFolder } from '../records/record-folder.ts';
import type { Loaded } from '../state/state-file.ts';
import type { SurfaceAddress } from '../surface-address.ts';
import { tables } from '../tables.ts';
import { tasks } from '../tasks.ts';
import type { Redirection } from '../transport/destination.ts';
import type { Seed } from './states.ts';

/** What the worlds of a server share. Nothing in it changes with what happens in a world. */
export interface ServerParts {
  readonly realTime: RealTime;
  readonly names: NameTranslator | null;
  readonly address: SurfaceAddress;
  /** What disturbs every world except the worlds of stories; null for nothing. */
  readonly disturbance: ServerDisturbance | null;
  /** Whether the rate limit applies: its windows are of wall time, which a record does not have. */
  readonly limitsRates: boolean;
  /** The source of the API keys of all worlds but `main`. */
  readonly secrets: Secrets;
  readonly secretKey: string | null;
  /** Creates what sends the webhooks of a world. The redirection is read for each send. */
  readonly createTransport: (redirection: () => Redirection) => Transport;
  /** Where the records of the worlds are written while they run. Those of stories are left out. */
  readonly records: RecordFolder | undefined;
  readonly onDelivery: ((delivery: DeliveryLogEntry) => void) | undefined;
  readonly onBug: (error: unknown, where: string) => void;
}

/** How a world is made: `main`, a world of a test, a copy, or the run of a story. */
export interface WorldPlan {
  readonly id: string;
  readonly keys: KeySource;
  /** Returns the API key of this world for one from elsewhere. */
  readonly toWorldKey: (key: string) => string;
  /** The options that its own are made from, without defaults: a copy begins with them. */
  readonly input: CoreOptions;
  readonly options: ResolvedOptions;
  /** What it starts with, and what a reset goes back to. Default: the fixtures of its options. */
  readonly seed?: Seed | undefined;
  /** The state document that it starts with instead, and that a reset goes back to. */
  readonly document?: Pick<Loaded, 'document' | 'toError'> | undefined;
  /** The saved state that it starts with. A reset goes back to the seed. */
  readonly saved?: Pick<Loaded, 'document' | 'toError'> | null | undefined;
  /** Whether the clock of a state that it starts with is frozen, whatever it was when it was saved. */
  readonly freeze?: boolean | undefined;
  /** For the world of a record: the origin in what it has sent. Default: that of the server. */
  readonly origin?: string | undefined;
  /** Wall time in milliseconds without a request after which the world ends; null for never. */
  readonly ttlMs: number | null;
  /** Whether its history keeps all entries, as that of a record that is opened. Default: false. */
  readonly keepsHistory?: boolean;
  /** Whether it is the run of a story, which says nothing about an app. */
  readonly isStory?: true | undefined;
}

export function setUp(
  { id, toWorldKey, keys, options }: WorldPlan,
  { realTime, names, limitsRates, address, onBug }: ServerParts,
  disturbed: ServerDisturbance | null,
  own: Pick<WorldSetup, 'feed' | 'transport' | 'forwarding'>,
): WorldSetup {
  const disturbance = disturbed && new WorldDisturbance(disturbed.plan);
  return {
    ...own,
    id,
    seed: options.seed,
    kycDelayMs: Duration.parse(options.kycDelay),
    limitsRates,
    rateLimitPerMinute: options.rateLimit,
    clockStart: options.clock === undefined ? undefined : Timestamp.parse(options.clock),
    clockFrozen: options.freeze,
    retrySpeed: options.retrySpeed,
    idLength: options.idLength ?? null,
    assumptions: settingsOf(options.assume).values,
    secretKey: keys.secret,
    toWorldKey,
    names,
    people: disturbed?.people,
    disturbance,
    tables,
    tasks,
    origin: () => address.origin,
    realTime,
    onBug,
    onEvent(state, event) {
      if (!disturbance?.isSilent) recordDelivery(state, event);
    },
  };
}
