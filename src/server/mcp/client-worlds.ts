import type { Client } from '../../client/client.ts';

/** The world that a client works in, and those that it has created. */
export class ClientWorlds {
  client: Client;
  readonly #created = new Set<string>();

  constructor(client: Client) {
    this.client = client;
  }

  /** Notes that the client has created a world. */
  add(id: string): void {
    this.#created.add(id);
  }

  /** Ends the worlds that the client has created and that still exist. */
  async end(): Promise<void> {
    const calls = [...this.#created].map(id =>
      this.client.control({ method: 'DELETE', path: `/worlds/${encodeURIComponent(id)}` }),
    );
    // A world may have ended, by itself or with its sandbox.
    await Promise.allSettled(calls);
  }
}
