import { type Client, type Exchanged, RefusedError } from '../../client/client.ts';
import { redactData, redactText } from '../../kernel/journal/redact.ts';
import { API_PREFIX, CONTROL_PREFIX } from '../../kernel/operation/plane.ts';
import { parseDuration } from '../../kernel/values/duration.ts';
import { controlCall } from '../file/control-call.ts';
import { CALL, type Step } from '../file/schema.ts';
import { ruleInJournal, ruleOfOperation, type StatedRule } from '../report/rules.ts';
import { type Difference, differences } from './matching.ts';
import type { Stage } from './stage.ts';
import { pathsIn, type Scene } from './watcher.ts';

/** What a step found. */
export interface Finding {
  readonly differences: readonly Difference[];
  /** What captures are taken from. */
  readonly found: unknown;
  readonly rule: StatedRule | null;
}

/** Tells those who watch. */
export type Show = (scene: Scene) => void;

/** So long between two looks at an answer that is not yet as expected. */
const LOOK_MS = 200;
/** No answer takes longer than this. */
const PATIENCE_MS = 60_000;

/** Asks the API, as often as the step says or until the answer is as expected. */
export async function playRequest(step: Step, stage: Stage, show: Show): Promise<Finding> {
  const [, method = '', path = ''] = CALL.exec(step.request ?? '') ?? [];
  const key = step.key === undefined ? stage.apiKey : step.key;
  const { headers = {}, body, repeat = 1 } = step;
  show({
    kind: 'request',
    plane: 'partner',
    method,
    path: redactText(API_PREFIX + path),
    key: key === null ? null : key === stage.apiKey ? 'own' : 'other',
    headers: masked(headers),
    body: redactData(body),
    times: repeat,
  });
  const call = { method, path, headers, body, signal: patience(stage) };
  const ask = () => stage.api.exchange(key, call);
  let answer = await ask();
  let found = compare(step, answer);
  for (let time = 1; time < repeat && found.length === 0; time++) {
    answer = await ask();
    found = compare(step, answer);
  }
  const end = stage.pace.elapsed() + (parseDuration(step.within ?? '') ?? 0);
  while (found.length > 0 && stage.pace.elapsed() < end && !stage.signal?.aborted) {
    await stage.pace.sleep(LOOK_MS);
    answer = await ask();
    found = compare(step, answer);
  }
  const journalled =
    answer.status >= 400 || found.length > 0 ? await ruleInJournal(stage.control, answer.headers) : null;
  showAnswer(step, answer, answer.status >= 400 ? journalled : null, stage, show);
  return { differences: found, found: answer, rule: journalled ?? ruleOfOperation(method, path) };
}

/** Asks the control plane. */
export async function playControl(step: Step, control: Client, stage: Stage, show: Show): Promise<Finding> {
  const { method, path: pattern } = controlCall(step.control ?? '');
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(step.params?.[name] ?? ''),
  );
  const { body } = step;
  show({
    kind: 'request',
    plane: 'control',
    method,
    path: redactText(CONTROL_PREFIX + path),
    key: null,
    headers: {},
    body: redactData(body),
    times: 1,
  });
  const answer = await controlled(control, { method, path, body, signal: patience(stage) });
  showAnswer(step, answer, null, stage, show);
  return { differences: compare(step, answer), found: answer, rule: null };
}

/** Moves the sandbox clock on. */
export async function playAdvance(duration: string, control: Client, show: Show): Promise<Finding> {
  const call = { method: 'POST', path: '/clock/advance', body: { duration } };
  const { status, body } = await controlled(control, call);
  if (status !== 200) return { differences: statusDifference(200, status, body), found: null, rule: null };
  const now = typeof body === 'object' && body !== null && 'now' in body ? String(body.now) : '';
  show({ kind: 'clock', by: duration, now });
  return { differences: [], found: null, rule: null };
}

/** An answer of the control plane, a refusal included. */
async function controlled(control: Client, call: Parameters<Client['control']>[0]): Promise<Exchanged> {
  try {
    const { status, body } = await control.control(call);
    return { status, headers: {}, body };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { status: error.status, headers: {}, body: { success: false, error: error.message } };
  }
}

function compare({ expect, control }: Step, { status, headers, body }: Exchanged): Difference[] {
  // Nothing but success is expected of what only prepares the next step.
  const wanted = expect?.status ?? (expect === undefined || control !== undefined ? 'success' : status);
  const named = Object.entries(expect?.headers ?? {}).flatMap(([name, value]) =>
    differences(value, headers[name.toLowerCase()], `headers.${name}`),
  );
  return [
    ...statusDifference(wanted, status, body),
    ...named,
    ...(expect?.body === undefined ? [] : differences(expect.body, body, 'body')),
  ];
}

function statusDifference(expected: number | 'success', status: number, body: unknown): Difference[] {
  const isFine = expected === 'success' ? status < 400 : status === expected;
  if (isFine) return [];
  const message = refusalIn(body);
  const got = message === null ? String(status) : `${status}, ${redactText(JSON.stringify(message))}`;
  return [{ path: 'status', expected: String(expected), got }];
}

/** The message of an error body, simple or structured. */
function refusalIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error === 'string') return error;
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : null;
}

function showAnswer(step: Step, answer: Exchanged, rule: StatedRule | null, stage: Stage, show: Show): void {
  const names = Object.keys(step.expect?.headers ?? {});
  const headers = names.map(name => [name, answer.headers[name.toLowerCase()] ?? '']);
  show({
    kind: 'answer',
    status: answer.status,
    body: withoutOrigin(redactData(answer.body), stage),
    looksAt: pathsIn(step.expect?.body),
    headers: masked(Object.fromEntries(headers)),
    rule,
  });
}

/** Addresses of the server below themselves: which port it has is of no interest to those who watch. */
function withoutOrigin(body: unknown, { api, control }: Stage): unknown {
  const origins = [api.url, ...(control === null ? [] : [control.url])];
  const text = JSON.stringify(body ?? null);
  return JSON.parse(origins.reduce((shorter, origin) => shorter.replaceAll(`"${origin}/`, '"/'), text));
}

/** Headers with the values of those that name a secret, and whatever else gives one away, masked. */
function masked(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return redactData(headers) as Record<string, string>;
}

function patience({ signal }: Stage): AbortSignal {
  const tooLong = AbortSignal.timeout(PATIENCE_MS);
  return signal === undefined ? tooLong : AbortSignal.any([signal, tooLong]);
}
