import * as z from 'zod';
import type { Operation } from '../../../core/operation/operation.ts';
import type { ApiResponse } from '../../../core/request/http.ts';
import type { RealTime } from '../../../core/time/realtime.ts';
import type { AssumptionValues } from '../../../core/values/setting.ts';
import type { Transport } from '../../../core/world/transport.ts';
import { operations } from '../../../sandbox/operations.ts';
import {
  API_PREFIX,
  CONTROL_PREFIX,
  createSandboxCore,
  type OwnProcess,
  type SandboxCore,
} from '../../../sandbox/sandbox.ts';
import type { Settings } from '../../../service/assumptions/settings.ts';
import { amountsOnWire } from '../../../service/wire/fields.ts';
import { type Example, Examples } from '../examples.ts';
import { cards } from './cards.ts';
import { people } from './people.ts';
import { sandbox } from './sandbox.ts';
import type { LastBody, Step } from './step.ts';

/** The address of the sandbox of the examples: that of a sandbox started without options. */
export const DEFAULT_ORIGIN = 'http://127.0.0.1:4242';
const START = '2026-03-15T10:00:00.000Z';
const SEED = 20260315;

/** Wall time that does not pass, so that rate limits and latencies are the same in every run. */
const FROZEN_TIME: RealTime = {
  now: () => Date.parse(START),
  elapsed: () => 0,
  after: () => () => undefined,
};

/** Replacements for API keys, tokens and signatures, which no example shows. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/sk_test_\w+/g, '<API_KEY>'],
  [/("token":")[^"]+/g, '$1<SHARE_TOKEN>'],
  [/("otp":")\d+/g, '$1***'],
  [/\/reveal\/[\w.-]+/g, '/reveal/TOKEN'],
  [/signature=[\w-]+/g, 'signature=SIGNATURE'],
  [/v1=[0-9a-f]{64}/g, 'v1=<HMAC>'],
];

/** A process that does not end. */
const OWN_PROCESS: OwnProcess = {
  pid: 4711,
  machine: 'laptop',
  instance: '4711-0a1b2c3d',
  stop: () => undefined,
};

/** A partner's endpoint that is unavailable. */
const UNAVAILABLE: Transport = {
  send: ({ url }) =>
    Promise.resolve({ url, status: 503, body: 'try again later', cause: 'answered 503', durationMs: 12 }),
  close: () => undefined,
};

/** The examples are the same in every run with the same settings, so one run is enough. */
const runs = new WeakMap<AssumptionValues, Promise<Examples>>();

/** Returns the examples of a sandbox with settings. */
export function examplesWith({ values, texts }: Settings): Promise<Examples> {
  let run = runs.get(values);
  if (run === undefined) {
    run = runExamples(texts, values);
    runs.set(values, run);
  }
  return run;
}

/** The steps are written for the default of these. Names of parameters are in no example. */
function isDefaultInRun(setting: string): boolean {
  return setting.endsWith('-parameter') || ['amount-unit', 'magic-tokens'].includes(setting);
}

/**
 * Sends the requests of all steps to a new sandbox with a frozen clock. Resolves with the examples, whose amounts are in
 * the unit of the settings. Rejects when a step names an unknown operation.
 */
async function runExamples(texts: Settings['texts'], values: AssumptionValues): Promise<Examples> {
  const assume = Object.fromEntries(Object.entries(texts).filter(([name]) => !isDefaultInRun(name)));
  const inUnit = amountsOnWire(values);
  const sandbox = createSandboxCore(
    { clock: START, freeze: true, retrySpeed: 60, seed: SEED, assume },
    { realTime: FROZEN_TIME, transport: UNAVAILABLE, process: OWN_PROCESS },
  );
  sandbox.serveAt({
    origin: DEFAULT_ORIGIN,
    host: '127.0.0.1',
    ownNames: [],
    controlToken: '',
  });
  const bodies = new Map<string, unknown>();
  const lastBody: LastBody = id => bodies.get(id);
  const examples: Example[] = [];
  for (const step of steps) {
    const operation = operations.find(({ id }) => id === step.operation);
    if (operation === undefined) throw new Error(`a step names the unknown operation ${step.operation}`);
    const params = typeof step.params === 'function' ? step.params(lastBody) : (step.params ?? {});
    const response = await send(sandbox, operation, params, step);
    const body = response.body === '' ? null : JSON.parse(mask(response.body));
    bodies.set(step.operation, body);
    const { status } = response;
    if (operation.plane === 'control') {
      examples.push({ operation, step, params, status, body });
      continue;
    }
    const schema = operation.responses[status] ?? z.never();
    const shown = { ...step, body: inUnit(operation.body, step.body) };
    examples.push({ operation, step: shown, params, status, body: inUnit(schema, body) });
  }
  sandbox.stop();
  return new Examples(examples, inUnit);
}

async function send(
  sandbox: SandboxCore,
  { plane, method, path }: Operation,
  params: Readonly<Record<string, string>>,
  { query = '', body, anonymous }: Step,
): Promise<ApiResponse> {
  const prefix = plane === 'partner' ? API_PREFIX : CONTROL_PREFIX;
  const apiKey = anonymous ? undefined : sandbox.partners()[0]?.apiKey;
  const request = {
    method,
    path: prefix + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    query,
    headers: { host: '127.0.0.1', 'content-type': 'application/json', 'x-service-api-key': apiKey },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    remoteAddress: '127.0.0.1',
  };
  return plane === 'partner' ? sandbox.handle(request) : sandbox.control(request);
}

function mask(text: string): string {
  return MASKS.reduce((shown, [pattern, mask]) => shown.replace(pattern, mask), text);
}

/** The requests of the example run to the fixture `starter`, in an order in which each finds the records that it needs. */
export const steps: readonly Step[] = [...people, ...cards, ...sandbox];
