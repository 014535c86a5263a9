import { signal } from '@preact/signals';
import { after } from '../browser.ts';
import { openStream } from './http.ts';

export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

export interface Message {
  readonly kind: string;
  readonly data: unknown;
}

interface StreamListeners {
  readonly onOpen: () => void;
  readonly onMessage: (message: Message) => void;
  /** Called after each attempt to stay connected that has ended. */
  readonly onBreak: () => void;
}

const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;

/**
 * Reads the event stream until the page is closed, and connects again after each break. Uses fetch: an EventSource cannot
 * send the control token.
 */
export async function readStream(
  query: string,
  { onOpen, onMessage, onBreak }: StreamListeners,
): Promise<void> {
  for (let pause = MIN_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      const body = await openStream(`/stream?${query}`);
      connection.value = 'live';
      pause = MIN_PAUSE_MS;
      onOpen();
      for await (const message of messagesOf(body)) onMessage(message);
    } catch {
      // Whatever broke the connection, the page connects again.
    }
    connection.value = 'lost';
    onBreak();
    await new Promise<void>(resolve => void after(pause, resolve));
  }
}

/** Parses the server-sent events of the sandbox, which have the kind in one line and JSON in the next. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body
    // The DOM types declare the writable side too narrowly for a stream of bytes.
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, kind, data] = /^event: (.+)\ndata: (.+)$/m.exec(block) ?? [];
      if (kind !== undefined && data !== undefined) yield { kind, data: JSON.parse(data) };
    }
  }
}
