import type { FaultInput, WebhookFaultInput } from '../../client/generated/records.ts';
import type { CoreHooks, SandboxCore } from '../../sandbox/sandbox.ts';
import type { Disturbance, Person } from './misbehaviour.ts';
import type { RunNotes } from './run-notes.ts';

/** The operations after whose first success a crowd is created. */
const CREATIONS = ['cardholders.create', 'cards.issue'];

/** A fault of the disturbance, and how often it may still apply. */
interface Armed<F> {
  readonly fault: F;
  left: number;
}

/** Applies a disturbance to a sandbox from its start on, resets included, and notes what happens in it. */
export class Attendance {
  readonly #notes: RunNotes;
  readonly #disturbance: Disturbance;
  readonly #faults: readonly Armed<FaultInput>[];
  readonly #webhookFaults: readonly Armed<WebhookFaultInput>[];
  /** The faults of the API by their current ids. */
  readonly #byId = new Map<string, Armed<FaultInput>>();
  readonly #crowded = new Set<string>();
  #control: Control = () => undefined;

  constructor(disturbance: Disturbance, notes: RunNotes) {
    this.#disturbance = disturbance;
    this.#notes = notes;
    const armed = <F extends { readonly times?: number }>(fault: F) => ({
      fault,
      left: fault.times ?? Number.POSITIVE_INFINITY,
    });
    this.#faults = (disturbance.faults ?? []).map(armed);
    this.#webhookFaults = (disturbance.webhookFaults ?? []).map(armed);
  }

  /** The hooks that the sandbox has to be created with. */
  readonly hooks: Required<Pick<CoreHooks, 'onResponse' | 'onDelivery'>> = {
    onResponse: entry => {
      const armed = entry.fault === null ? undefined : this.#byId.get(entry.fault);
      if (armed !== undefined) armed.left -= 1;
      this.#notes.addRequest(entry, armed !== undefined);
      const { operation, status, partnerId } = entry;
      if (operation !== null && partnerId !== null && status < 300) this.#crowd(operation, partnerId);
    },
    onDelivery: entry => {
      const armed = this.#webhookFaults.find(
        ({ fault: { kind, eventType, extra = false } }) =>
          kind === entry.fault &&
          extra === entry.isExtra &&
          (eventType ?? entry.eventType) === entry.eventType,
      );
      if (armed !== undefined) armed.left -= 1;
      this.#notes.addDelivery(entry, armed !== undefined);
    },
  };

  /** Starts with a sandbox that has these hooks. `token` is that of its control plane. */
  attach(core: SandboxCore, token: string): void {
    this.#control = controlOf(core, token);
    if (core.options.freeze) this.#notes.addFreeze();
    core.feed.subscribe(message => {
      if (message.kind === 'clock' && message.clock.mode === 'frozen') this.#notes.addFreeze();
      // A reset drops the faults. A restored world may have them still.
      if (message.kind === 'reset') queueMicrotask(() => this.#isArmed() || this.#arm());
    });
    this.#arm();
  }

  #isArmed(): boolean {
    const isAny = (path: string) => listOf(this.#control('GET', path)).length > 0;
    return isAny('/faults') || isAny('/webhook-faults');
  }

  #arm(): void {
    this.#byId.clear();
    for (const armed of this.#faults) {
      if (armed.left <= 0) continue;
      const added = this.#control('POST', '/faults', withTimes(armed));
      this.#byId.set(textOf(added, 'id'), armed);
    }
    for (const armed of this.#webhookFaults) {
      if (armed.left > 0) this.#control('POST', '/webhook-faults', withTimes(armed));
    }
    if (!this.#disturbance.rotatesKeys) return;
    for (const partner of listOf(this.#control('GET', '/partners'))) {
      this.#control('POST', `/partners/${textOf(partner, 'id')}/keys/rotate`, {});
    }
  }

  /** Creates the crowd, silently, after the first success of an operation. */
  #crowd(operation: string, partnerId: string): void {
    const { crowd = [] } = this.#disturbance;
    if (crowd.length === 0 || this.#crowded.has(operation) || !CREATIONS.includes(operation)) return;
    this.#crowded.add(operation);
    const path = `/webhooks/config?partnerId=${encodeURIComponent(partnerId)}`;
    const config = this.#control('GET', path);
    const { subscribedEvents } = config as { readonly subscribedEvents: readonly string[] };
    if (subscribedEvents.length > 0) this.#control('PATCH', path, { subscribedEvents: [] });
    for (const person of crowd) this.#addPerson(partnerId, person);
    if (subscribedEvents.length > 0) this.#control('PATCH', path, { subscribedEvents });
  }

  #addPerson(partnerId: string, identity: Person): void {
    const cardholder = this.#control('POST', '/cardholders', { partnerId, identity });
    this.#control('POST', '/cards/issue', { partnerId, cardholderId: textOf(cardholder, 'id') });
  }
}

/** Calls the control plane and returns the body of the response. */
type Control = (method: string, path: string, body?: object) => unknown;

/**
 * Returns what calls the control plane of a sandbox synchronously, so that no request of a command comes in between.
 * Throws an error when the sandbox refuses.
 */
function controlOf(core: SandboxCore, token: string): Control {
  return (method, path, body) => {
    const [pathname = '', query = ''] = path.split('?');
    const response = core.control({
      method,
      path: `/_sandbox${pathname}`,
      query,
      headers: {
        host: 'localhost',
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      remoteAddress: '127.0.0.1',
    });
    if (response instanceof Promise) throw new Error(`${method} ${path} is not synchronous`);
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.body}`);
    return JSON.parse(response.body || 'null');
  };
}

function withTimes<F extends object>({ fault, left }: Armed<F>): F {
  return left === Number.POSITIVE_INFINITY ? fault : { ...fault, times: left };
}

function listOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [];
}

function textOf(body: unknown, name: string): string {
  const value = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return String(value);
}
