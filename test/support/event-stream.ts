import { onTestFinished } from 'vitest';
import type { Json } from './sandbox.ts';

/** An event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly data: Json;
  /** NaN for a message without a number. */
  readonly id: number;
}

/** A reader of an event stream. */
export interface Reader {
  readonly response: Response;
  /** Resolves with the next `count` events. Rejects when the stream ends first. */
  next(count?: number): Promise<StreamEvent[]>;
  /** Resolves with the next block that is not an event: a comment or the retry time. */
  nextBlock(): Promise<string>;
  /** Resolves with the remaining text when the server ends the stream. */
  ended(): Promise<string>;
  /** Disconnects. */
  disconnect(): void;
}

/** Opens the event stream of a sandbox, or of one of its worlds. Disconnects when the test ends. */
export async function openEventStream(origin: string, query = '', world = 'main'): Promise<Reader> {
  const disconnecting = new AbortController();
  onTestFinished(() => disconnecting.abort());
  const response = await fetch(`${origin}/_sandbox/worlds/${world}/stream${query}`, {
    signal: disconnecting.signal,
  });
  if (response.body === null) throw new Error('the stream has no body');
  const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const block = async (): Promise<string> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end !== -1) {
        const found = text.slice(0, end + 2);
        text = text.slice(end + 2);
        return found;
      }
      const { value, done } = await chunks.read();
      if (done) throw new Error(`the stream has ended with ${JSON.stringify(text)}`);
      text += value;
    }
  };
  return {
    response,
    async next(count = 1) {
      const events: StreamEvent[] = [];
      while (events.length < count) {
        const found = await block();
        if (found.startsWith('event: ')) events.push(parse(found));
      }
      return events;
    },
    nextBlock: block,
    async ended() {
      for (;;) {
        const { value, done } = await chunks.read();
        if (done) return text;
        text += value;
      }
    },
    disconnect: () => disconnecting.abort(),
  };
}

function parse(block: string): StreamEvent {
  const [, event = '', data = '', id] = /^event: (.*)\ndata: (.*)\n(?:id: (\d+)\n)?\n$/.exec(block) ?? [];
  return { event, data: JSON.parse(data), id: Number(id) };
}
