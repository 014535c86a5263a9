import { toast } from '../ui/toast.tsx';
import { apiExchange, control, type Exchange, Refusal, throwRefusal } from './http.ts';
import type { Clock } from './response-types.ts';
import * as store from './store.ts';

/** Does something and says in passing that it is done, or why it was refused. */
export async function attempt(done: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
    toast('good', done);
  } catch (error) {
    const journalId = error instanceof Refusal ? error.journalId : null;
    toast('bad', error instanceof Error ? error.message : String(error), journalId);
  }
}

/** Calls the API with the key of the partner that is looked at, so that the call is in the journal like any other. */
export async function callApi<T>(method: string, path: string, body?: unknown): Promise<T> {
  const exchange = await callApiRaw(method, path, body);
  throwRefusal(exchange);
  // The caller names the shape that the interface gives this answer.
  return exchange.responseBody as T;
}

/** Like `callApi`, and hands back the whole exchange, whatever its status. */
export async function callApiRaw(method: string, path: string, body?: unknown): Promise<Exchange> {
  const { partner } = store;
  if (partner.value === null) throw new Refusal(0, 'no partner is known yet');
  const exchange = await apiExchange(partner.value.apiKey, method, path, body);
  // A rotated key: whoever rotated it was another page or program.
  if (exchange.status === 401) void store.partners.load();
  return exchange;
}

/** Carries the clock on and waits until everything due has run. */
export function advance(duration: string): Promise<void> {
  return attempt(`The clock went on by ${duration}`, () => moveClock('advance', { duration }));
}

/** Stops a running clock, or lets a stopped one run. */
export function toggleClock(): Promise<void> {
  const isFrozen = store.clock.value.value?.mode === 'frozen';
  return attempt(isFrozen ? 'The clock runs' : 'The clock stands still', () =>
    moveClock(isFrozen ? 'resume' : 'freeze', {}),
  );
}

async function moveClock(move: string, body: unknown): Promise<void> {
  store.clock.value.value = await control<Clock>('POST', `/clock/${move}`, body);
}

/** Changes something on the control plane that raises no news, and reads anew what it changed. */
export async function change(
  reload: readonly { load(): Promise<void> }[],
  method: string,
  path: string,
  body?: unknown,
): Promise<void> {
  await control(method, path, body);
  await Promise.all(reload.map(each => each.load()));
}

/** The query that names the partner that is looked at. */
export function ofPartner(): string {
  return `partnerId=${encodeURIComponent(store.partner.value?.id ?? '')}`;
}
