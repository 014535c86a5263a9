import { errorText } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';
import { callApiWith, RequestError, throwIfFailed } from './http.ts';
import { partner, partners } from './store.ts';

/** Runs an action. Shows `success` in a toast when it is done, with the way back if there is one, or the error message when it fails. */
export async function withToast(
  success: string,
  action: () => Promise<unknown>,
  undo?: () => void,
): Promise<void> {
  try {
    await action();
    toast('good', success, { undo: undo ?? null });
  } catch (error) {
    toast('bad', errorText(error), { journalId: error instanceof RequestError ? error.journalId : null });
  }
}

/** Calls the API with the key of the selected partner, so that the journal records the request as any other. */
export async function callApi<T>(method: string, path: string, body?: unknown): Promise<T> {
  if (partner.value === null) throw new RequestError('No partner is loaded yet.');
  const reply = await callApiWith(partner.value.apiKey, method, path, body);
  // Another page or program has rotated the key.
  if (reply.status === 401) void partners.load();
  throwIfFailed(reply);
  // The caller names the type that the interface documents for this response.
  return reply.body as T;
}
