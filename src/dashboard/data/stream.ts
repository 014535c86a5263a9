import { signal } from '@preact/signals';
import { after } from '../browser.ts';
import { openStream } from './http.ts';

/** State of the connection that reports changes. */
export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

export interface Message {
  readonly kind: string;
  readonly data: unknown;
}

interface StreamListeners {
  /** Called after each connect. */
  readonly onOpen: () => void;
  readonly onMessage: (message: Message) => void;
}

const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;

/**
 * Reads the event stream until the page is closed, and connects again after each break. Uses fetch: an EventSource cannot
 * send the control token.
 */
export async function readStream(query: string, { onOpen, onMessage }: StreamListeners): Promise<void> {
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
    await new Promise<void>(resolve => void after(pause, resolve));
  }
}

/** Parses server-sent events: `event:` is the kind, `data:` lines are JSON, an empty line ends a message. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body
    // The DOM types declare the writable side too narrowly for a stream of bytes.
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const message = parseBlock(block);
      if (message !== null) yield message;
    }
  }
}

function parseBlock(block: string): Message | null {
  let kind = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith('event:')) kind = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  if (data.length === 0) return null;
  return { kind, data: JSON.parse(data.join('\n')) };
}
