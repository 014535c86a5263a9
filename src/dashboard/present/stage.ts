import { batch, signal } from '@preact/signals';
import { after } from '../browser/timers.ts';
import { apiExchange, control, controlExchange, type Exchange, errorMessage } from '../data/http.ts';
import type { EventRef, JournalEntry, Rule } from '../data/response-types.ts';
import { events, loadAll, partner } from '../data/store.ts';

/** A request of a scenario with its response, the rule behind a refusal and the events that it raised. */
export interface WireEntry {
  readonly plane: 'partner' | 'control';
  readonly exchange: Exchange;
  readonly rule: Rule | null;
  readonly events: readonly EventRef[];
}

/** The functions that a step calls the sandbox with. */
export interface Stage {
  /** Values that earlier steps stored, by name. */
  readonly values: Record<string, string>;
  /** Calls the API with the key of the selected partner, or with `apiKey`. */
  api(method: string, path: string, body?: unknown, apiKey?: string): Promise<ResponseBody>;
  /** Calls the control plane, which simulates everything outside of the API. Throws for an error status. */
  control(method: string, path: string, body?: unknown): Promise<ResponseBody>;
}

/** The members of a response body. */
export type ResponseBody = Readonly<Record<string, unknown>>;

/** One step of a scenario. */
export interface Step {
  readonly title: string;
  /** The explanation under the title. */
  readonly text: string;
  /** The status of the last response of the step. */
  readonly expectedStatus: number;
  /** Members of the responses to highlight. */
  readonly highlight?: readonly string[];
  run(stage: Stage): Promise<unknown>;
}

/** A sequence of steps that are presented one by one. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly steps: readonly Step[];
}

/** The traffic of each played step. */
export const played = signal<readonly (readonly WireEntry[])[]>([]);
/** Index of the step that is shown. */
export const shownStep = signal(0);
/** Whether a step is being played. */
export const isPlaying = signal(false);
/** Why the last step failed, or null. */
export const failure = signal<string | null>(null);

/** How long to wait for the events of a control plane request, which arrive by the event stream. */
const EVENTS_MS = 200;
let values: Record<string, string> = {};

/** Goes back to the start of a scenario and discards what its steps stored. */
export function restart(): void {
  values = {};
  batch(() => {
    played.value = [];
    shownStep.value = 0;
    failure.value = null;
  });
}

/** Shows the next step of a scenario, and plays it when it was not played yet. */
export async function forward(scenario: Scenario): Promise<void> {
  if (isPlaying.value) return;
  if (shownStep.value < played.value.length - 1) {
    shownStep.value += 1;
    return;
  }
  const next = scenario.steps[played.value.length];
  if (next === undefined) return;
  isPlaying.value = true;
  failure.value = null;
  const wire: WireEntry[] = [];
  try {
    await next.run(recordingStage(wire));
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  }
  batch(() => {
    played.value = [...played.value, wire];
    shownStep.value = played.value.length - 1;
    isPlaying.value = false;
  });
}

/** Shows the previous step. */
export function back(): void {
  shownStep.value = Math.max(shownStep.value - 1, 0);
}

function recordingStage(wire: WireEntry[]): Stage {
  return {
    values,
    async api(method, path, body, apiKey = partner.value?.apiKey ?? '') {
      const exchange = await apiExchange(apiKey, method, path, body);
      const entry = await journalEntry(exchange.journalId);
      wire.push({ plane: 'partner', exchange, rule: entry?.rule ?? null, events: entry?.events ?? [] });
      return bodyOf(exchange);
    },
    async control(method, path, body) {
      const before = new Set(events.value.map(({ id }) => id));
      const exchange = await controlExchange(method, path, body);
      await new Promise<void>(resolve => void after(EVENTS_MS, resolve));
      const raised = events.value.filter(({ id }) => !before.has(id)).reverse();
      wire.push({ plane: 'control', exchange, rule: null, events: raised });
      if (exchange.status >= 400)
        throw new Error(errorMessage(exchange.responseBody) ?? 'The sandbox refused the request.');
      void loadAll();
      return bodyOf(exchange);
    },
  };
}

async function journalEntry(id: string | null): Promise<JournalEntry | null> {
  return id === null ? null : control<JournalEntry>('GET', `/requests/${id}`).catch(() => null);
}

function bodyOf({ responseBody }: Exchange): ResponseBody {
  return typeof responseBody === 'object' && responseBody !== null ? { ...responseBody } : {};
}
