import { apiKeys, partners } from '../../core/access/partners.ts';
import type { Change } from '../../core/store/table-definition.ts';
import type { World } from '../../core/world/world.ts';
import { cards, vault } from '../../service/cards/records.ts';
import { spendWindows } from '../../service/cards/spending.ts';
import { revealLinks } from '../../service/reveal/records.ts';

/** A change of a record, as the stream sends it. */
interface ChangeMessage extends Change {
  readonly partnerId: string;
}

/** Converts the change of a row to that of the record that shows it; null for a row that no record shows. */
type Conversion = (change: Change, partnerId: string) => Change | null;

/** The tables whose rows are parts of other records, or whose ids are secrets. */
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  // The id is the key.
  [apiKeys.kind]: (_change, partnerId) => ({ kind: partners.kind, id: partnerId, action: 'updated' }),
  // The id is the token of the link.
  [revealLinks.kind]: () => null,
  [vault.kind]: () => null,
  // The id is the period and the card.
  [spendWindows.kind]: ({ id }) => ({
    kind: cards.kind,
    id: id.slice(id.indexOf(' ') + 1),
    action: 'updated',
  }),
};

/**
 * Passes the changes of each turn of the event loop to `send`, as one text after the responses of that turn: one
 * message per record. Returns a function that stops it.
 */
export function followChanges(
  { feed, state: { realTime } }: World,
  send: (text: string) => void,
): () => void {
  const pending = new Map<string, ChangeMessage>();
  let cancelFlush: (() => void) | null = null;
  const clear = () => {
    cancelFlush?.();
    cancelFlush = null;
    pending.clear();
  };
  const flush = () => {
    const texts = [...pending.values()].map(textOf);
    clear();
    if (texts.length > 0) send(texts.join(''));
  };
  const unsubscribe = feed.subscribeToWrites(write => {
    const { partnerId } = write;
    const convert = CONVERSIONS[write.kind];
    const change = convert === undefined ? write : convert(write, partnerId);
    if (change === null) return;
    const key = `${change.kind} ${change.id}`;
    const action = joinActions(pending.get(key)?.action, change.action);
    if (action === null) pending.delete(key);
    else pending.set(key, { kind: change.kind, id: change.id, action, partnerId });
    cancelFlush ??= realTime.after(0, flush);
  });
  const unsubscribeReset = feed.subscribe(({ kind }) => {
    if (kind === 'reset') clear();
  });
  return () => {
    unsubscribe();
    unsubscribeReset();
    clear();
  };
}

/** Returns the action that has the effect of two in a row; null when they cancel each other out. */
function joinActions(first: Change['action'] | undefined, second: Change['action']): Change['action'] | null {
  if (first === 'created') return second === 'deleted' ? null : 'created';
  return first === 'deleted' && second === 'created' ? 'updated' : second;
}

/** A message without a number: the numbers show a reader that it has missed messages of the other kinds. */
function textOf({ kind, id, action, partnerId }: ChangeMessage): string {
  return `event: change\ndata: ${JSON.stringify({ kind, id, action, partnerId })}\n\n`;
}
