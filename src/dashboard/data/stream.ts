import { signal } from '@preact/signals';
import { after } from '../browser/timers.ts';
import { openStream } from './http.ts';

/** How the page hears of what happens: it does, it tries to, or it has lost the sandbox. */
export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

/** One message of the stream. */
export interface Message {
  readonly kind: string;
  readonly data: unknown;
}

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;

/**
 * Listens to the sandbox for as long as the page is open, and again after each break; `onOpen` is called each
 * time, because news may have been missed. By fetch, as an EventSource cannot bring the control token.
 */
export async function listen(onOpen: () => void, onMessage: (message: Message) => void): Promise<void> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      const body = await openStream('/stream', new AbortController().signal);
      connection.value = 'live';
      pause = FIRST_PAUSE;
      onOpen();
      for await (const message of messagesOf(body)) onMessage(message);
    } catch {
      // Whatever ended it, the way back is the same.
    }
    connection.value = 'lost';
    await new Promise<void>(resume => void after(pause, resume));
  }
}

/** Reads server-sent events: `event:` names the kind, `data:` lines are JSON, an empty line ends a message. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body
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
