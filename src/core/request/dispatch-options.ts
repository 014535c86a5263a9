import type { AccessGuard } from '../access/access-guard.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { ApiError } from '../operation/errors.ts';
import type { ControlOperation, OperationGroup, PartnerOperation } from '../operation/operation.ts';
import type { Page } from '../page/page.ts';
import type { RealTime } from '../time/realtime.ts';
import type { NameTranslator } from '../values/names.ts';
import type { AssumptionValues } from '../values/setting.ts';
import type { World, WorldRegistry } from '../world/world.ts';
import type { ApiRequest } from './http.ts';

/** How the API of a world looks to its callers where settings change that. */
export interface Wire {
  /** Returns the operation with the schemas that callers see. With neutral names, it takes its own names of parameters, too. */
  operation(operation: PartnerOperation, hasNeutralNames: boolean): PartnerOperation;
  /** Returns the refusal with the status that callers see. */
  refusal(refusal: ApiError): ApiError;
}

export interface DispatchOptions {
  readonly worlds: WorldRegistry;
  readonly partnerGroups: readonly OperationGroup<PartnerOperation>[];
  readonly controlGroups: readonly OperationGroup<ControlOperation>[];
  readonly pages: readonly Page[];
  readonly realTime: RealTime;
  /** Translates the neutral names on the wire; null for no translation. */
  readonly names: NameTranslator | null;
  /** Returns the wire for the settings of a world; null where they change nothing in it. */
  readonly wireOf: (assumptions: AssumptionValues) => Wire | null;
  /** Read on every call: the address is known only once the sandbox listens. */
  readonly accessGuard: () => AccessGuard;
  /** Returns the origin for links in the response to a request. */
  readonly linkOrigin: (request: ApiRequest) => string;
  /** Whether a 404 suggests only operations that do not rest on an assumption, because the worlds refuse the others. */
  readonly documentedOnly: boolean;
  /**
   * Called when a call of the control plane begins to wait. Its response waits for the promise, too. Only a record that is
   * played puts responses in an order.
   */
  readonly holdResponse?: (() => Promise<void>) | undefined;
  /** Called after every API request, with the world that handled it. */
  readonly onResponse: (entry: JournalEntry, world: World) => void;
  /** Called for every internal error, with the operation in which it occurred. */
  readonly onBug: (error: unknown, operation: string) => void;
}
