/** One piece of news from a sandbox. */
export interface ServerSentEvent {
  /** `request`, `event`, `delivery`, `clock` or `reset`. */
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads server-sent events one by one, as far as they carry JSON objects; comments and heartbeats are passed over. */
export async function* readNews(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const news = parse(block);
      if (news !== null) yield news;
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
