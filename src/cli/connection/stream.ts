import { TextDecoder } from 'node:util';
import type { Client } from '../../client/client.ts';
import { printable } from '../output/print.ts';

export interface ServerSentEvent {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Why a stream has ended: with the sandbox, or with its world, which another client can end. */
export function endOfStream({ url, world }: Client): string {
  const sandbox = `the sandbox at ${url} has stopped`;
  return world === 'main' ? sandbox : `the world ${printable(world)} has ended, or ${sandbox}`;
}

/** Reads server-sent events whose data is a JSON object. Skips comments, heartbeats and everything else. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event !== null) yield event;
    }
  }
}

function parse(block: string): ServerSentEvent | null {
  const fields = block.split(/\r?\n/).map(line => /^(\w+): ?(.*)$/.exec(line));
  const valuesOf = (name: string) => fields.flatMap(field => (field?.[1] === name ? [field[2] ?? ''] : []));
  const [kind] = valuesOf('event');
  const text = valuesOf('data').join('\n');
  if (kind === undefined || text === '') return null;
  const data: unknown = JSON.parse(text);
  return typeof data === 'object' && data !== null ? { kind, data: { ...data } } : null;
}
