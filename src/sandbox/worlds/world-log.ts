import type { ReplayEntry } from '../../control/history/export/recorded-call.ts';
import type { HistoryEntry, HistoryLog } from '../../control/history/history.ts';
import type { RealTime } from '../../core/time/realtime.ts';
import { deliveryIdIn, type Transport } from '../../core/world/transport.ts';
import type { World } from '../../core/world/world.ts';
import { writeState } from '../state/document/state-writer.ts';
import { tables } from '../tables.ts';

/** The first line of a log: a world before its first request. */
export interface LogStart {
  readonly kind: 'start';
  readonly world: string;
  /** Wall time in milliseconds. */
  readonly startedAt: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly origin: string;
  /** The state document. */
  readonly state: unknown;
}

/** A request that the history recorded. */
export interface LogEntry extends ReplayEntry {
  readonly kind: 'entry';
  /** Its place among all, by when the request began. */
  readonly place: number;
}

/** The outcome of one attempt to send a webhook. */
export interface LogSend {
  readonly kind: 'send';
  /** Id of the delivery event, and the place of the attempt among those of this id. */
  readonly id: string;
  readonly place: number;
  /** Sandbox time at which it ended, in milliseconds. */
  readonly at: number;
  readonly status: number | null;
  readonly body: string | null;
  readonly cause: string | null;
}

/** A line of the log of a world. */
export type LogLine = LogStart | LogEntry | LogSend;

/** Opens a new log. Returns the function that adds a line. */
export type OpenLog = () => (line: LogLine) => void;

/**
 * Keeps all that is needed to play the history of a world again, from its first request on, as it happens: the process may
 * be killed. Begins a new log where the world goes back to an earlier state, which no request can repeat.
 */
export class WorldLog implements HistoryLog {
  readonly #open: OpenLog;
  readonly #realTime: RealTime;
  #world: World | null = null;
  #write: ((line: LogLine) => void) | null = null;
  /** How many attempts of each delivery event have begun. */
  #sends = new Map<string, number>();

  constructor(open: OpenLog, realTime: RealTime) {
    this.#open = open;
    this.#realTime = realTime;
  }

  /** Sets the world that it follows. */
  attach(world: World): void {
    this.#world = world;
  }

  begin(): void {
    if (this.#write !== null || this.#world === null) return;
    const { id, options, state } = this.#world;
    this.#write = this.#open();
    this.#sends = new Map();
    const document = Buffer.concat([...writeState(state.snapshot(), tables)]).toString();
    this.#write({
      kind: 'start',
      world: id,
      startedAt: this.#realTime.now(),
      options,
      origin: state.origin(),
      state: JSON.parse(document),
    });
  }

  add(entry: HistoryEntry, place: number): void {
    const { plane, method, path, query, headers, requestBody, partnerId, summary, response, before } = entry;
    const { status, body, drop } = response;
    const { now, frozen } = before.clock;
    this.#write?.({
      kind: 'entry',
      place,
      plane,
      method,
      path,
      query,
      headers,
      requestBody,
      partnerId,
      summary,
      response: { status, body, ...(drop && { drop }) },
      before: { clock: { now, frozen } },
    });
  }

  end(): void {
    this.#write = null;
  }

  /** Returns a transport that sends through another one and keeps the outcomes. */
  watch(transport: Transport): Transport {
    return {
      send: async (webhook, signal) => {
        const id = deliveryIdIn(webhook.body);
        const place = this.#sends.get(id) ?? 0;
        this.#sends.set(id, place + 1);
        const write = this.#write;
        const outcome = await transport.send(webhook, signal);
        const at = this.#world?.state.clock.now();
        // What the end of the world cancelled changed nothing in it.
        if (signal.aborted || at === undefined) return outcome;
        const { status, body, cause } = outcome;
        write?.({ kind: 'send', id, place, at, status, body, cause });
        return outcome;
      },
      close: () => transport.close(),
    };
  }
}
