import { type Client, RefusedError, type SandboxInfo } from './client.ts';

type PartnerKey = SandboxInfo['partners'][number];

export interface PartnerKeys {
  /** Returns the key of a partner, by default the first, or undefined when it is not known here. */
  known(partnerId?: string): string | undefined;
  /** Resolves with the key of a partner. Rejects with a RefusedError when there is no such partner. */
  find(partnerId?: string): Promise<string>;
  /** Asks for the current keys, after a call that may have changed them. */
  refresh(): Promise<void>;
}

/** The keys of a sandbox, where the current ones can be read at any time. */
export function currentKeys(partners: () => readonly PartnerKey[], ready: Promise<unknown>): PartnerKeys {
  const known = (id?: string) => keyIn(partners(), id);
  return {
    known,
    async find(id) {
      await ready;
      return known(id) ?? throwUnknown(id);
    },
    refresh: () => Promise.resolve(),
  };
}

/** The keys of a sandbox that runs elsewhere: asked for again after `refresh`, and when a partner is not among those known. */
export function remoteKeys(client: Client, first: readonly PartnerKey[]): PartnerKeys {
  let partners = first;
  const refresh = async () => {
    ({ partners } = await client.info());
  };
  return {
    known: id => keyIn(partners, id),
    async find(id) {
      const found = keyIn(partners, id);
      if (found !== undefined) return found;
      await refresh();
      return keyIn(partners, id) ?? throwUnknown(id);
    },
    refresh,
  };
}

function keyIn(partners: readonly PartnerKey[], id: string | undefined): string | undefined {
  return (id === undefined ? partners[0] : partners.find(each => each.id === id))?.apiKey;
}

function throwUnknown(id: string | undefined): never {
  const message =
    id === undefined ? 'this sandbox has no partner' : `no partner with id ${JSON.stringify(id)}`;
  throw new RefusedError(404, message);
}
