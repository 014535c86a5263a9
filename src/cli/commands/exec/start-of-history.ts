import type { Client } from '../../../client/client.ts';

/** Options that a repetition replaces by the state at the start, and those whose files are not copied. */
const OMITTED: readonly string[] = ['fixtures', 'state', 'webhookCa'];

/** Returns the options of a sandbox that are set and do not depend on files of its machine. */
export async function portableOptions(client: Client): Promise<Record<string, unknown>> {
  const { options } = await client.info();
  const isPortable = ([name, value]: [string, unknown]) => !OMITTED.includes(name) && value !== null;
  return Object.fromEntries(Object.entries(options).filter(isPortable));
}

/** Reads the state before the oldest entry of the history. Afterwards the sandbox is as before, but for its history. */
export async function stateAtStart(client: Client): Promise<ReadableStream<Uint8Array>> {
  const { body } = await client.control({ method: 'GET', path: '/history' });
  // The sandbox checks its responses: this is a list of entries.
  const steps = (body as readonly unknown[]).length;
  if (steps === 0) return stateOf(client);
  await client.control({ method: 'POST', path: '/rewind', body: { steps } });
  try {
    return await stateOf(client);
  } finally {
    // The stream holds what it was opened on. The state at the end may yet be saved to a state file.
    await client.control({ method: 'POST', path: '/checkpoints/before-rewind/restore' });
  }
}

/** Reads the state as bytes, because a large one does not fit into one string. */
export function stateOf(client: Client): Promise<ReadableStream<Uint8Array>> {
  return client.open({ method: 'GET', path: '/state' });
}
