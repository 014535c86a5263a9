import { type Client, RefusedError, UnsendableError } from '../../../client/client.ts';
import { type AnyResponse, errorMessage } from '../../../client/http.ts';
import { redactText } from '../../../core/redaction/redact.ts';
import { AbortController, AbortSignal } from '../../../core/values/builtins.ts';
import { parseDuration } from '../../../core/values/duration.ts';
import { onAbort } from '../../../core/values/on-abort.ts';
import { API_PREFIX, CONTROL_PREFIX } from '../../../core/values/plane.ts';
import { CALL, type Step } from '../file/schema.ts';
import { ruleInJournal, ruleOfOperation, type StatedRule } from '../report/report.ts';
import { shapeDifferences } from './documented-shape.ts';
import { endOf, maskData, maskHeaders } from './masked.ts';
import { type Difference, differences, isObject, pathsToShow, valueAt } from './matching.ts';
import type { Stage } from './stage.ts';
import type { Scene } from './watcher.ts';

export interface Outcome {
  readonly differences: readonly Difference[];
  /** The value that captures read from. */
  readonly source: unknown;
  readonly rule: StatedRule | null;
}

export type Show = (scene: Scene) => void;

const RETRY_MS = 200;
/** The longest advance of a held clock, some two days. */
const MAX_ADVANCE_S = 131_072;
const TIMEOUT_MS = 60_000;

export const NO_DIFFERENCE: Outcome = { differences: [], source: null, rule: null };

/**
 * Sends a request to the API: `repeat` times, then again until the response is as expected or `within` is over.
 * `checksShape` also compares the last response with the table of operations.
 */
export async function playRequest(
  step: Step,
  stage: Stage,
  show: Show,
  checksShape: boolean,
): Promise<Outcome> {
  const [method, path] = callOf(step.request);
  const key = step.key === undefined ? stage.apiKey : step.key;
  const { headers = {}, body, repeat = 1 } = step;
  const call = { method, path, headers, body };
  show(requestScene('partner', call, key, stage.apiKey, repeat));
  const send = () => withTimeout(stage, signal => stage.api.exchange(key, { ...call, signal }));
  let response = await send();
  let found = compare(step, response);
  for (let time = 1; time < repeat && found.length === 0; time++) {
    response = await send();
    found = compare(step, response);
  }
  const isLate = deadline(parseDuration(step.within ?? '') ?? 0, stage);
  while (found.length > 0 && !stage.signal?.aborted && !(await isLate())) {
    response = await send();
    found = compare(step, response);
  }
  if (checksShape) {
    const known = new Set(found.map(each => each.path));
    const shape = shapeDifferences(method, path, response, stage.control !== null);
    found = [...found, ...shape.filter(each => !known.has(each.path))];
  }
  const rule =
    response.status >= 400 || found.length > 0 ? await ruleInJournal(stage.control, response.headers) : null;
  showResponse(step, response, response.status >= 400 ? rule : null, stage, show);
  return { differences: found, source: response, rule: rule ?? ruleOfOperation(method, path) };
}

/**
 * Returns a function that waits before the next try, or resolves with true when it is too late for one. Where the clock
 * is held, waiting would change nothing: it advances the clock, twice as far each time.
 */
function deadline(ms: number, { wallClock, holdsClock, control }: Stage): () => Promise<boolean> {
  if (holdsClock && control !== null && ms > 0) {
    let seconds = 1;
    return async () => {
      if (seconds > MAX_ADVANCE_S) return true;
      await control.control({ method: 'POST', path: '/clock/advance', body: { duration: `${seconds}s` } });
      seconds *= 2;
      return false;
    };
  }
  const end = wallClock.elapsed() + ms;
  return async () => {
    if (wallClock.elapsed() >= end) return true;
    await wallClock.sleep(RETRY_MS);
    return false;
  };
}

/** Returns method and path of a step. Throws an UnsendableError where the value of a variable has white space. */
function callOf(text = ''): readonly [method: string, path: string] {
  const [, method, path] = CALL.exec(text) ?? [];
  if (method !== undefined && path !== undefined) return [method, path];
  throw new UnsendableError(
    `${JSON.stringify(redactText(text))} has white space in its path; encode the values of its variables, a space as %20`,
  );
}

export async function playControl(step: Step, control: Client, stage: Stage, show: Show): Promise<Outcome> {
  const [method, path] = callOf(step.control);
  const call = { method, path, body: step.body };
  show(requestScene('control', call));
  const response = await withTimeout(stage, signal => callControl(control, { ...call, signal }));
  showResponse(step, response, null, stage, show);
  return { differences: compare(step, response), source: response, rule: null };
}

export async function playAdvance(
  duration: string,
  control: Client,
  { signal }: Stage,
  show: Show,
): Promise<Outcome> {
  const call = { method: 'POST', path: '/clock/advance', body: { duration }, signal };
  const { status, body } = await callControl(control, call);
  if (status !== 200) return { differences: statusDifference(200, status, body), source: null, rule: null };
  show({ kind: 'clock', by: duration, now: String(valueAt(body, 'now') ?? '') });
  return NO_DIFFERENCE;
}

/** Calls the control plane and returns its response, even when it is an error. */
async function callControl(control: Client, call: Parameters<Client['control']>[0]): Promise<AnyResponse> {
  try {
    const { status, body } = await control.control(call);
    return { status, headers: {}, body };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { status: error.status, headers: {}, body: { success: false, error: error.message } };
  }
}

function compare({ expect, control }: Step, { status, headers, body }: AnyResponse): Difference[] {
  // A control call must succeed, because it prepares the next step.
  const isSuccessWanted = control !== undefined || namesNothing(expect);
  const wanted = expect?.status ?? (isSuccessWanted ? 'success' : status);
  const named = Object.entries(expect?.headers ?? {}).flatMap(([name, value]) =>
    differences(value, headers[name.toLowerCase()], `headers.${name}`),
  );
  return [
    ...statusDifference(wanted, status, body),
    ...named,
    ...(expect?.body === undefined ? [] : differences(expect.body, body, 'body')),
  ];
}

/** Whether an expectation is as if it were not there. An empty object is, because members that it lacks are ignored. */
function namesNothing({ status, headers, body }: NonNullable<Step['expect']> = {}): boolean {
  return status === undefined && [headers, body].every(each => each === undefined || isEmptyObject(each));
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function statusDifference(expected: number | 'success', status: number, body: unknown): Difference[] {
  const isExpected = expected === 'success' ? status < 400 : status === expected;
  if (isExpected) return [];
  const message = errorMessage(body);
  const got = message === null ? String(status) : `${status}, ${redactText(JSON.stringify(message))}`;
  return [{ path: 'status', expected: String(expected), got }];
}

function requestScene(
  plane: 'partner' | 'control',
  { method, path, headers = {}, body }: Pick<Step, 'headers' | 'body'> & { method: string; path: string },
  key: string | null = null,
  ownKey: string | null = null,
  times = 1,
): Scene {
  return {
    kind: 'request',
    plane,
    method,
    path: redactText((plane === 'partner' ? API_PREFIX : CONTROL_PREFIX) + path),
    key: key === null ? null : key === ownKey ? 'own' : 'other',
    keyEnd: key === null ? null : endOf(key),
    headers: maskHeaders(headers),
    body: maskData(body),
    times,
    sent: { headers: { ...(key !== null && { 'x-service-api-key': key }), ...headers }, body },
  };
}

function showResponse(
  step: Step,
  response: AnyResponse,
  rule: StatedRule | null,
  stage: Stage,
  show: Show,
): void {
  const names = Object.keys(step.expect?.headers ?? {});
  const headers = names.map(name => [name, response.headers[name.toLowerCase()] ?? '']);
  const page = valueAt(response.body, 'accessUrl');
  show({
    kind: 'response',
    status: response.status,
    body: withoutOrigin(maskData(response.body), stage),
    shownPaths: pathsToShow(step.expect?.body, step.about, response.body),
    headers: maskHeaders(Object.fromEntries(headers)),
    allHeaders: maskHeaders(response.headers),
    rule,
    page: typeof page === 'string' ? page : null,
  });
}

/** Removes the server's origin from URLs in a body, because its port differs in each run. */
function withoutOrigin(body: unknown, { api, control }: Stage): unknown {
  const origins = [api.url, ...(control === null ? [] : [control.url])];
  const text = JSON.stringify(body ?? null);
  return JSON.parse(origins.reduce((shorter, origin) => shorter.replaceAll(`"${origin}/`, '"/'), text));
}

/** Sends a request with a signal that is aborted after the timeout and when the play ends. */
async function withTimeout<T>(
  { signal: playing }: Stage,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  if (playing === undefined) return send(timeout);
  const ending = new AbortController();
  const cancel = onAbort([playing, timeout], () =>
    ending.abort((playing.aborted ? playing : timeout).reason),
  );
  try {
    return await send(ending.signal);
  } finally {
    cancel();
  }
}
