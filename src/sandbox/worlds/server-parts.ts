import type { RealTime } from '../../core/time/realtime.ts';
import type { NameTranslator } from '../../core/values/names.ts';
import type { Secrets } from '../../core/values/secrets.ts';
import type { Transport } from '../../core/world/transport.ts';
import type { Observation } from '../../core/world/world.ts';
import type { DeliveryLogEntry } from '../delivery-log-entry.ts';
import type { CoreOptions } from '../options.ts';
import type { StateRules } from '../state/document/state-shape.ts';
import type { SurfaceAddress } from '../surface-address.ts';
import type { Redirection } from '../transport/destination.ts';

/** What the worlds of a server share. Nothing in it changes with what happens in a world. */
export interface ServerParts {
  /** The options that the server was started with, without defaults. */
  readonly input: CoreOptions;
  readonly realTime: RealTime;
  readonly names: NameTranslator | null;
  readonly address: SurfaceAddress;
  /** The source of the API keys of all worlds but `main`. */
  readonly secrets: Secrets;
  /** The key of unpredictable secrets; null when they come from the seed. */
  readonly secretKey: string | null;
  /** What the profile observed of a service, by assumption. */
  readonly observations: Readonly<Record<string, Observation>>;
  readonly stateRules: StateRules;
  /** Creates the transport of a world. The redirection is read for each send. */
  readonly createTransport: (redirection: () => Redirection) => Transport;
  readonly onDelivery: ((delivery: DeliveryLogEntry) => void) | undefined;
  readonly onBug: (error: unknown, where: string) => void;
}
