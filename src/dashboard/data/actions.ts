import { partnerHeaders } from '../../client/http.ts';
import { saveFile } from '../browser.ts';
import { errorText } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';
import { failureOf, openStream, RequestError, sendToApi } from './http.ts';
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

export async function download(path: string, name: string): Promise<void> {
  saveFile(await new Response(await openStream(path)).blob(), name);
}

/** Calls the API with the key of the selected partner, so that the journal records the request as any other. */
export async function callApi<T>(method: string, path: string, body?: unknown): Promise<T> {
  if (partner.value === null) throw new RequestError('No partner is loaded yet.');
  const reply = await sendToApi(method, path, body, partnerHeaders(partner.value.apiKey));
  // Another page or program has rotated the key.
  if (reply.status === 401) void partners.load();
  if (reply.status >= 400) throw failureOf(reply);
  // The caller names the type that the interface documents for this response.
  return reply.body as T;
}
