import { apiKeys, KEY_PREFIX } from '../../core/access/partners.ts';
import { Random } from '../../core/values/random.ts';
import { Secrets } from '../../core/values/secrets.ts';
import type { KeySource } from '../../core/world/world.ts';
import type { WorldState } from '../../core/world/world-state.ts';

const TAG_LENGTH = 8;
const REST_LENGTH = 16;

/**
 * Returns what gives the API keys of a world a prefix that no other world of the server has, its tag. A
 * key therefore identifies its world, and two worlds of the same seed and fixture share no key. A key of a fixture, a
 * document or another world is replaced by the same one each time, so that the keys of a world stay valid across resets.
 */
export function worldKeyOf({
  tag,
  seed,
  secret,
}: KeySource & { readonly tag: string }): (key: string) => string {
  const secrets = new Secrets(new Random(seed), seed, secret === null ? null : { key: secret, drawn: {} });
  const prefix = KEY_PREFIX + tag;
  return key =>
    key.startsWith(prefix) ? key : prefix + secrets.newStream(`${prefix} ${key}`).letters(REST_LENGTH);
}

/** Returns the tag in an API key; empty for any other text. */
export function tagOf(key: string): string {
  return key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length, KEY_PREFIX.length + TAG_LENGTH) : '';
}

/** Generates a tag. The same number gives the same tag again. */
export function newTag(secrets: Secrets, number: number): string {
  return secrets.newStream(`world ${number}`).letters(TAG_LENGTH);
}

/** Replaces the API keys in a state that comes from elsewhere by keys of its world. */
export function reissueApiKeys(state: WorldState): void {
  const table = state.table(apiKeys);
  const rows = [...table.all()];
  if (rows.every(({ id }) => state.setup.toWorldKey(id) === id)) return;
  // All are replaced, because the order of a partner's keys says which one is current.
  for (const { id } of rows) table.delete(id);
  for (const row of rows) table.insert({ ...row, id: state.setup.toWorldKey(row.id) });
}
