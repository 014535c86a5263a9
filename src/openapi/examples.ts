import type { Operation } from '../kernel/operation/operation.ts';
import type { ApiResponse } from '../kernel/request/http.ts';
import type { RealTime } from '../kernel/time/realtime.ts';
import type { Transport } from '../kernel/world/transport.ts';
import { operations } from '../sandbox/operations.ts';
import { API_PREFIX, CONTROL_PREFIX, createSandboxCore, type SandboxCore } from '../sandbox/sandbox.ts';
import type { Json } from './components.ts';
import { DELIVERIES } from './tour/sandbox.ts';
import type { Seen, Step } from './tour/step.ts';
import { tour } from './tour/tour.ts';

/** Where the sandbox of the examples says that it is: the address of a sandbox started without options. */
export const USUAL_ORIGIN = 'http://127.0.0.1:4242';
const START = '2026-03-15T10:00:00.000Z';
const SEED = 20260315;

/** Wall time that stands still, so that rate limits and latencies are the same in every run. */
const STILL: RealTime = { now: () => Date.parse(START), elapsed: () => 0, after: () => () => undefined };

/** What is never shown, not even of a sandbox: keys, tokens and signatures. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/sk_test_\w+/g, '<API_KEY>'],
  [/("token":")[^"]+/g, '$1<SHARE_TOKEN>'],
  [/\/reveal\/[\w.-]+/g, '/reveal/TOKEN'],
  [/signature=[\w-]+/g, 'signature=SIGNATURE'],
  [/v1=[0-9a-f]{64}/g, 'v1=<HMAC>'],
];

/** The partner's endpoint of the examples: one that is down. */
const DOWN: Transport = {
  send: ({ url }) =>
    Promise.resolve({ url, status: 503, body: 'try again later', cause: 'answered 503', durationMs: 12 }),
  close: () => undefined,
};

/** One request that was really made, and its answer. */
interface Example {
  readonly operation: Operation;
  readonly step: Step;
  readonly params: Readonly<Record<string, string>>;
  readonly status: number;
  readonly answer: unknown;
}

interface Delivery {
  readonly eventType: string;
  readonly payload: string;
}

/** Examples for a document: requests that a sandbox has really answered, always the same ones. */
export class Examples {
  readonly #examples: readonly Example[];

  constructor(examples: readonly Example[]) {
    this.#examples = examples;
  }

  /** What the operation answered with this status, as a member `examples`; nothing where it never did. */
  answers(id: string, status: number): Json {
    return named(this.#of(id, status), ({ answer }) => answer);
  }

  /** An answer with this status, whichever operation of the plane gave it. */
  ofStatus(plane: Operation['plane'], status: number): Json {
    const found = this.#examples.find(
      each => each.operation.plane === plane && each.status === status && isShown(each),
    );
    return named(found === undefined ? [] : [found], ({ answer }) => answer);
  }

  /** Bodies that the operation has accepted, as a member `examples`. */
  bodies(id: string): Json {
    const accepted = this.#of(id).filter(({ status, step }) => status < 300 && step.body !== undefined);
    return named(accepted, ({ step }) => step.body);
  }

  /** A value that a path parameter of the operation has had. */
  param(id: string, name: string): string | undefined {
    return this.#of(id).find(({ status }) => status < 300)?.params[name];
  }

  /** A body that was to be sent for an event of this type, as a member `examples`; nothing where none was. */
  payload(type: string): Json {
    const all = this.#examples.find(({ step }) => step.call === DELIVERIES)?.answer;
    const sent = (all as readonly Delivery[] | undefined)?.find(({ eventType }) => eventType === type);
    return sent === undefined ? {} : { examples: { Sent: { value: JSON.parse(sent.payload) } } };
  }

  #of(id: string, status?: number): Example[] {
    return this.#examples.filter(
      each => each.operation.id === id && isShown(each) && (status ?? each.status) === each.status,
    );
  }
}

/** Takes the tour through a new sandbox with a frozen clock. Rejects when a step names no operation. */
export async function takeTour(): Promise<Examples> {
  const sandbox = createSandboxCore(
    { clock: START, freeze: true, seed: SEED },
    { realTime: STILL, transport: DOWN },
  );
  sandbox.serveAt({ origin: USUAL_ORIGIN, host: '127.0.0.1', ownNames: [], controlToken: '' });
  const last = new Map<string, unknown>();
  const seen: Seen = id => last.get(id);
  const examples: Example[] = [];
  for (const step of tour) {
    const operation = operations.find(({ id }) => id === step.call);
    if (operation === undefined) throw new Error(`the tour calls ${step.call}, which is no operation`);
    const params = typeof step.params === 'function' ? step.params(seen) : (step.params ?? {});
    const { status, body } = await ask(sandbox, operation, params, step);
    const answer = body === '' ? null : JSON.parse(masked(body));
    last.set(step.call, answer);
    examples.push({ operation, step, params, status, answer });
  }
  sandbox.stop();
  return new Examples(examples);
}

async function ask(
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

function masked(text: string): string {
  return SECRETS.reduce((shown, [pattern, mask]) => shown.replace(pattern, mask), text);
}

function isShown({ step }: Example): boolean {
  return step.shows !== undefined;
}

/** Examples under names made of what they show. */
function named(examples: readonly Example[], shownOf: (example: Example) => unknown): Json {
  if (examples.length === 0) return {};
  const entries = examples.map(example => {
    const summary = example.step.shows ?? '';
    return [nameFor(summary), { summary, value: shownOf(example) }];
  });
  return { examples: Object.fromEntries(entries) };
}

function nameFor(summary: string): string {
  return summary.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
}
