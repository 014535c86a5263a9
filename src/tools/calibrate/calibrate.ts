import { ASSUMPTIONS } from '../../client/generated/assumptions.ts';
import type { Names } from '../../core/values/names.ts';
import { type Exchange, evidenceOf, safeLine } from '../evidence.ts';
import type { Variables } from './lab/lab.ts';
import { Lab } from './lab/lab.ts';
import { type Probe, type Result, toResult, Undecided, type Verdict } from './probe.ts';
import { probes } from './probes/catalogue.ts';
import { messageOf } from './service/responses.ts';
import type { WallTime } from './service/service.ts';
import { OversizedResponseError, Service, ServiceUnavailableError } from './service/service.ts';

/** How many entries have each verdict. */
export interface Summary {
  readonly observed: number;
  readonly contradicted: number;
  readonly unknown: number;
  /** How many requests were sent. */
  readonly requests: number;
}

/** The service held against the register. */
export interface Calibration {
  readonly service: string;
  /** When it began, ISO 8601. */
  readonly observedAt: string;
  readonly names: Names;
  readonly results: readonly Result[];
  readonly summary: Summary;
  /** What could not be cleaned up. */
  readonly leftovers: readonly string[];
  /** Why the rest of the probes could not be made; null when all were. */
  readonly failure: string | null;
}

/** What to calibrate, and how. */
export interface CalibrateOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly names?: Names;
  readonly write?: boolean;
  readonly variables?: Variables;
  /** The signing secret of webhooks while probes change their configuration. */
  readonly webhookSecret: string;
  /** The ids of the entries to probe. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Verdicts of an earlier run, which are kept. */
  readonly known?: ReadonlyMap<string, Result>;
  /** How long to wait for what the service does by itself. */
  readonly asyncTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly time: WallTime;
  readonly fetch?: typeof fetch | undefined;
  readonly onResult?: (result: Result) => void;
  /** Called with each exchange and the id of the entry that it is about. */
  readonly onExchange?: (id: string, exchange: Exchange) => void;
}

/** What it would take for an entry without a probe. */
export const NO_PROBE =
  'a way to observe it from outside: it concerns the sandbox itself, or what the API cannot do';
const STOPPED = 'a run that is not stopped; --resume continues';
const REFUSED = [401, 403];

/**
 * Holds a service against the register, one probe after the other, and cleans up. Rejects with a
 * ServiceUnavailableError when the service cannot be reached or refuses the key, before anything is created.
 */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const { names = {}, signal, time, known = new Map(), only, onResult } = options;
  const observedAt = new Date(time.now()).toISOString();
  let current = 'service';
  let requests = 0;
  const service = new Service({
    ...options,
    names,
    onExchange(exchange) {
      requests += 1;
      options.onExchange?.(current, exchange);
    },
  });
  const lab = new Lab({
    ...options,
    service,
    variables: options.variables ?? {},
    write: options.write ?? false,
  });
  const results: Result[] = [];
  const add = (result: Result) => {
    results.push(result);
    onResult?.(result);
  };
  let failure: string | null = null;
  await checkAccess(service);
  for (const probe of probes) {
    const earlier = known.get(probe.id);
    if (earlier === undefined && only !== undefined && !only.includes(probe.id)) continue;
    current = probe.id;
    const isOver: boolean = signal.aborted || failure !== null;
    const result: Result | ServiceUnavailableError =
      earlier ?? (isOver ? withoutVerdict(probe, STOPPED) : await resultOf(probe, lab, signal));
    if (result instanceof ServiceUnavailableError) failure = result.message;
    add(result instanceof ServiceUnavailableError ? withoutVerdict(probe, STOPPED) : result);
  }
  current = 'cleanup';
  const leftovers = (await lab.cleanUp()).map(safeLine);
  const isProbed = new Set(results.map(({ id }) => id));
  for (const { id } of ASSUMPTIONS) {
    if (isProbed.has(id) || (only !== undefined && !only.includes(id))) continue;
    add(withoutVerdict({ id }, NO_PROBE));
  }
  return {
    service: options.baseUrl,
    observedAt,
    names,
    results,
    summary: { ...countsOf(results), requests },
    leftovers,
    failure,
  };
}

/** Sends a first request. Rejects with a ServiceUnavailableError when it is refused. */
async function checkAccess(service: Service): Promise<void> {
  // The probes of this path say that its body is too long; the status is enough here.
  const first = await service.get('/partner/cards', { limit: '1' }).catch(exchangeOf);
  if (REFUSED.includes(first.status)) {
    throw new ServiceUnavailableError(`the service refuses the key (${first.status}: ${messageOf(first)})`);
  }
  if (first.status === 200) return;
  throw new ServiceUnavailableError(
    `GET ${service.baseUrl}/partner/cards gets a ${first.status}; --base-url must be the base URL of the service`,
  );
}

function exchangeOf(error: unknown): Exchange {
  if (error instanceof OversizedResponseError) return error.exchange;
  throw error;
}

/** Makes a probe. Resolves with its verdict, or with the error that ends the calibration. */
async function resultOf(
  probe: Probe,
  lab: Lab,
  signal: AbortSignal,
): Promise<Result | ServiceUnavailableError> {
  if (probe.needs === 'write' && !lab.write) return withoutVerdict(probe, `--write: ${probe.takes}`);
  try {
    return toResult(probe.id, await probe.probe(lab), new Date(lab.time.now()).toISOString());
  } catch (error) {
    if (error instanceof Undecided) return withoutVerdict(probe, error.message, error.exchanges);
    if (signal.aborted) return withoutVerdict(probe, STOPPED);
    if (error instanceof ServiceUnavailableError) return error;
    if (error instanceof OversizedResponseError)
      return withoutVerdict(probe, error.message, [error.exchange]);
    // A service can respond with anything.
    return withoutVerdict(
      probe,
      `a response that the probe understands (${error instanceof Error ? error.message : error})`,
    );
  }
}

function withoutVerdict(
  { id }: Pick<Probe, 'id'>,
  needs: string,
  exchanges: readonly Exchange[] = [],
): Result {
  return {
    id,
    verdict: 'unknown',
    evidence: { needs: safeLine(needs), exchanges: exchanges.map(evidenceOf) },
  };
}

function countsOf(results: readonly Result[]) {
  const count = (verdict: Verdict) => results.filter(each => each.verdict === verdict).length;
  return {
    observed: count('observed'),
    contradicted: count('contradicted'),
    unknown: count('unknown'),
  };
}
