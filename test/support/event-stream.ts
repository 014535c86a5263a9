import { onTestFinished } from 'vitest';
import type { Json } from './sandbox.ts';

/** One event of a stream as it came. */
export interface StreamEvent {
  readonly event: string;
  readonly data: Json;
  readonly id: number;
}

/** A stream that is read. */
export interface Reader {
  readonly response: Response;
  /** The next `count` events. Rejects when the stream ends before. */
  next(count?: number): Promise<StreamEvent[]>;
  /** The next piece of the stream that is no event: comments and the time to retry. */
  aside(): Promise<string>;
  /** Resolves when the server has ended the stream, with what came last. */
  ended(): Promise<string>;
  /** Goes away. */
  leave(): void;
}

/** Opens the event stream of a sandbox; it is left when the test ends. */
export async function follow(origin: string, query = ''): Promise<Reader> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${origin}/_sandbox/stream${query}`, { signal: leaving.signal });
  if (response.body === null) throw new Error('the stream has no body');
  const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const block = async (): Promise<string> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end !== -1) {
        const found = text.slice(0, end + 2);
        text = text.slice(end + 2);
        return found;
      }
      const { value, done } = await pieces.read();
      if (done) throw new Error(`the stream has ended; the rest of it is ${JSON.stringify(text)}`);
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
    aside: block,
    async ended() {
      for (;;) {
        const { value, done } = await pieces.read();
        if (done) return text;
        text += value;
      }
    },
    leave: () => leaving.abort(),
  };
}

function parse(block: string): StreamEvent {
  const [, event = '', data = '', id] = /^event: (.*)\ndata: (.*)\nid: (\d+)\n\n$/.exec(block) ?? [];
  return { event, data: JSON.parse(data), id: Number(id) };
}
