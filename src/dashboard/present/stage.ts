import { batch, signal } from '@preact/signals';
import { after } from '../browser/timers.ts';
import { apiExchange, control, controlExchange, type Exchange, errorMessage } from '../data/http.ts';
import type { EventRef, JournalEntry, Rule } from '../data/response-types.ts';
import { events, loadAll, partner } from '../data/store.ts';

/** An exchange of a scenario, with what the journal knows of it. */
export interface WireEntry {
  readonly plane: 'partner' | 'control';
  readonly exchange: Exchange;
  readonly rule: Rule | null;
  readonly events: readonly EventRef[];
}

/** What the steps of a scenario act with. */
export interface Stage {
  /** What earlier steps found out, by name. */
  readonly memo: Record<string, string>;
  /** Calls the API as the partner, or with the given key. */
  api(method: string, path: string, body?: unknown, apiKey?: string): Promise<Answer>;
  /** Calls the control plane: the part of the world that is simulated. */
  control(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** The body of an answer, of which steps read members by name. */
export type Answer = Readonly<Record<string, unknown>>;

/** One step: what it is, what to say about it, which members to look at, and what it does. */
export interface Step {
  readonly title: string;
  readonly say: string;
  /** The status that the last call of the step is answered with. */
  readonly expects: number;
  readonly marked?: readonly string[];
  run(stage: Stage): Promise<unknown>;
}

/** A story in steps. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly pitch: string;
  readonly steps: readonly Step[];
}

/** What each step that was played sent and got. */
export const played = signal<readonly (readonly WireEntry[])[]>([]);
/** The step that is shown. */
export const shownStep = signal(0);
/** Whether a step is being played. */
export const isPlaying = signal(false);
/** What kept the last step from being played to its end. */
export const breakdown = signal<string | null>(null);

const NEWS_MS = 200;
let memo: Record<string, string> = {};

/** Goes back to the beginning of a scenario, with nothing remembered. */
export function restart(): void {
  memo = {};
  batch(() => {
    played.value = [];
    shownStep.value = 0;
    breakdown.value = null;
  });
}

/** Plays the next step of a scenario, or goes on to one that was played before. */
export async function forward(scenario: Scenario): Promise<void> {
  if (isPlaying.value) return;
  if (shownStep.value < played.value.length - 1) {
    shownStep.value += 1;
    return;
  }
  const next = scenario.steps[played.value.length];
  if (next === undefined) return;
  isPlaying.value = true;
  breakdown.value = null;
  const wire: WireEntry[] = [];
  try {
    await next.run(stageThatWrites(wire));
  } catch (error) {
    breakdown.value = error instanceof Error ? error.message : String(error);
  }
  batch(() => {
    played.value = [...played.value, wire];
    shownStep.value = played.value.length - 1;
    isPlaying.value = false;
  });
}

/** Looks at the step before. */
export function back(): void {
  shownStep.value = Math.max(shownStep.value - 1, 0);
}

function stageThatWrites(wire: WireEntry[]): Stage {
  return {
    memo,
    async api(method, path, body, apiKey = partner.value?.apiKey ?? '') {
      const exchange = await apiExchange(apiKey, method, path, body);
      const entry = await journalEntry(exchange.journalId);
      wire.push({ plane: 'partner', exchange, rule: entry?.rule ?? null, events: entry?.events ?? [] });
      return asAnswer(exchange);
    },
    async control(method, path, body) {
      const before = new Set(events.value.map(({ id }) => id));
      const exchange = await controlExchange(method, path, body);
      // What the call raised comes by the stream, a moment later.
      await new Promise<void>(resume => void after(NEWS_MS, resume));
      const raised = events.value.filter(({ id }) => !before.has(id)).reverse();
      wire.push({ plane: 'control', exchange, rule: null, events: raised });
      if (exchange.status >= 400)
        throw new Error(errorMessage(exchange.responseBody) ?? 'the sandbox refused');
      void loadAll();
      return asAnswer(exchange);
    },
  };
}

async function journalEntry(id: string | null): Promise<JournalEntry | null> {
  return id === null ? null : control<JournalEntry>('GET', `/requests/${id}`).catch(() => null);
}

function asAnswer({ responseBody }: Exchange): Answer {
  return typeof responseBody === 'object' && responseBody !== null ? { ...responseBody } : {};
}
