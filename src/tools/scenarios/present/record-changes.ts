import type { Client } from '../../../client/client.ts';
import { maskData } from '../play/masked.ts';
import { flatten, memberText } from '../play/matching.ts';

/** A write to a record of a partner. */
export interface PartnerChange {
  readonly kind: string;
  readonly id: string;
  readonly action: 'created' | 'updated' | 'deleted';
  readonly partnerId: string;
}

/** A record that a step changed, with the members that differ. */
export interface RecordChange {
  readonly kind: string;
  readonly id: string;
  readonly action: PartnerChange['action'];
  readonly members: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}

/** Members of a record by dotted name, as text. */
type Members = ReadonlyMap<string, string>;

/** Where the control plane has the records of a kind, in the order in which they are shown. Others are not shown. */
const PATHS: Readonly<Record<string, (id: string, partnerId: string) => string>> = {
  cardholder: id => `/cardholders/${id}`,
  card: id => `/cards/${id}`,
  transaction: id => `/transactions/${id}`,
  balance: (_id, partnerId) => `/balance?partnerId=${partnerId}`,
  'KYC session': id => `/kyc-sessions/${id}`,
  'share token': id => `/share-tokens/${id}`,
  'delivery event': id => `/deliveries/${id}`,
};
const KINDS = Object.keys(PATHS);
/** The kind of record that an id names, by the prefix of generated ids. */
const PREFIXES: Readonly<Record<string, string>> = {
  ch: 'cardholder',
  card: 'card',
  txn: 'transaction',
  kycs: 'KYC session',
};
const ID = new RegExp(`(?<![\\w-])(${Object.keys(PREFIXES).join('|')})_[\\w-]+`, 'g');
/** Members that change with every write, or that repeat others. */
const NOISE = /^(?:updatedAt|lastUpdated|attempts\[|timeline|payload)/;

/** Reads what the steps of a story change, each record before and after. */
export class RecordChanges {
  readonly #client: Client;
  /** The members of records as they were last read, by kind and id. */
  #known = new Map<string, Members>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** What is known of records now. */
  mark(): ReadonlyMap<string, Members> {
    return new Map(this.#known);
  }

  /** Goes back to what was known at a mark. */
  restore(mark: ReadonlyMap<string, Members>): void {
    this.#known = new Map(mark);
  }

  /** Reads the balance, and the records that a text names by their ids, so that their first change has a before. */
  async readBefore(text: string, partnerId: string): Promise<void> {
    const named = [...text.matchAll(ID)].map(([id, prefix = '']) => [PREFIXES[prefix] ?? '', id] as const);
    for (const [kind, id] of [['balance', partnerId] as const, ...named]) {
      const key = keyOf(kind, id);
      // What looks like an id may be none.
      if (!this.#known.has(key)) this.#known.set(key, (await this.#read(kind, id, partnerId)) ?? new Map());
    }
  }

  /** Returns what became of changed records. */
  async read(changes: readonly PartnerChange[]): Promise<RecordChange[]> {
    const byKey = new Map<string, PartnerChange>();
    for (const change of changes) {
      const key = keyOf(change.kind, change.id);
      const first = byKey.get(key);
      byKey.set(key, first?.action === 'created' ? { ...change, action: 'created' } : change);
    }
    const all: RecordChange[] = [];
    for (const [key, { kind, id, action, partnerId }] of byKey) {
      const after = await this.#read(kind, id, partnerId);
      if (after === null) continue;
      const before = this.#known.get(key);
      this.#known.set(key, after);
      const cardId = kind === 'transaction' ? after.get('cardId') : undefined;
      // What a card has spent is computed from its transactions.
      if (cardId !== undefined && !byKey.has(keyOf('card', cardId))) {
        byKey.set(keyOf('card', cardId), { kind: 'card', id: cardId, action: 'updated', partnerId });
      }
      const members = before === undefined || action === 'created' ? [] : compareMembers(before, after);
      if (action === 'updated' && before !== undefined && members.length === 0) continue;
      all.push({ kind, id: after.get('token') ?? id, action, members });
    }
    return all.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  }

  async #read(kind: string, id: string, partnerId: string): Promise<Members | null> {
    const path = PATHS[kind]?.(encodeURIComponent(id), encodeURIComponent(partnerId));
    if (path === undefined) return null;
    try {
      const { body } = await this.#client.control({ method: 'GET', path });
      return new Map(flatten(maskData(body)).map(([name, value]) => [name, memberText(value)]));
    } catch {
      // The record may have gone in the meantime.
      return null;
    }
  }
}

function keyOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}

function compareMembers(before: Members, after: Members): RecordChange['members'] {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(name => !NOISE.test(name));
  return names
    .map(name => ({ name, before: displayText(before.get(name)), after: displayText(after.get(name)) }))
    .filter(member => member.before !== member.after);
}

function displayText(text: string | undefined): string {
  return text === undefined || text === 'null' ? '–' : text;
}
