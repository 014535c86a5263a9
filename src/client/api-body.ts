import { TextDecoder } from 'node:util';

/** Cap on the body of a response of an API, whatever service sends it. No response of the interface is longer. */
const MAX_API_BODY_MIB = 4;

export const UNREAD = `(more than ${MAX_API_BODY_MIB} MiB, not read)`;

/** Resolves with null, and closes the connection, for more than 4 MiB after decompression. */
export async function readApiBody({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > MAX_API_BODY_MIB * 1024 * 1024) {
      reader.cancel().catch(() => undefined);
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
