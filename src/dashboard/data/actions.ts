import { toast } from '../ui/toast.tsx';
import { undoable } from './clock-undo.ts';
import { callApiWith, control, RequestError, throwIfFailed } from './http.ts';
import type { Clock } from './response-types.ts';
import * as store from './store.ts';

/** Runs an action. Shows `success` in a toast when it is done, or the error message when it fails. */
export async function withToast(success: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
    toast('good', success);
  } catch (error) {
    const journalId = error instanceof RequestError ? error.journalId : null;
    toast('bad', error instanceof Error ? error.message : String(error), journalId);
  }
}

/** Calls the API with the key of the selected partner, so that the journal records the request as any other. */
export async function callApi<T>(method: string, path: string, body?: unknown): Promise<T> {
  if (store.partner.value === null) throw new RequestError('No partner is loaded yet.');
  const reply = await callApiWith(store.partner.value.apiKey, method, path, body);
  // Another page or program has rotated the key.
  if (reply.status === 401) void store.partners.load();
  throwIfFailed(reply);
  // The caller names the type that the interface documents for this response.
  return reply.body as T;
}

/** Advances the clock and waits until everything that falls due has run. `label` is the duration as people read it. */
export function advance(duration: string, label = duration): Promise<void> {
  return withToast(`Clock advanced by ${label}`, () => undoable(() => moveClock('advance', { duration })));
}

/** Advances the clock to a later time, ISO 8601, and waits until everything that falls due has run. */
export function advanceTo(at: string): Promise<void> {
  return withToast(`Clock advanced to ${at}`, () =>
    undoable(async () => {
      const { now } = await control<Clock>('GET', '/clock');
      const duration = `${Math.max(Date.parse(at) - Date.parse(now), 0)}ms`;
      return moveClock('advance', { duration });
    }),
  );
}

/** Freezes a running clock, or resumes a frozen one. */
export function toggleClock(): Promise<void> {
  const isFrozen = store.clock.data.value?.mode === 'frozen';
  return withToast(isFrozen ? 'Clock running' : 'Clock frozen', () =>
    moveClock(isFrozen ? 'resume' : 'freeze', {}),
  );
}

/** Moves the clock. Resolves with its time. */
async function moveClock(move: string, body: unknown): Promise<string> {
  const clock = await control<Clock>('POST', `/clock/${move}`, body);
  store.clock.set(clock);
  // Timers may have been added since the sandbox sent the response, and a read that has them is overtaken by it.
  void store.clock.load();
  return clock.now;
}

/** Calls the control plane to make a change that the event stream does not report, and reloads what it changed. */
export async function change(
  reload: readonly { load(): Promise<void> }[],
  method: string,
  path: string,
  body?: unknown,
): Promise<void> {
  await control(method, path, body);
  await Promise.all(reload.map(each => each.load()));
}
