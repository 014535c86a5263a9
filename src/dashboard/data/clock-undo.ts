import { computed, signal } from '@preact/signals';
import { control } from './http.ts';
import { sandboxNow } from './sandbox-time.ts';
import { loadAll } from './store.ts';

/** The checkpoint that is saved before the clock advances. */
const BEFORE_ADVANCE = 'before-advance';
/** The checkpoint that is saved before an advance is undone. */
const BEFORE_UNDO = 'before-undo';

/** The last advance from this page: sandbox times in milliseconds. */
const lastAdvance = signal<{ readonly from: number; readonly to: number } | null>(null);

/** Sandbox time to which an undo goes back; null when no advance can be undone. */
export const undoTime = computed(() => {
  const last = lastAdvance.value;
  return last !== null && (sandboxNow.value ?? 0) >= last.to ? last.from : null;
});

/** Runs an advance, which returns the new time, with a checkpoint before it. */
export async function undoable(advance: () => Promise<string>): Promise<void> {
  const { createdAt } = await control<{ readonly createdAt: string }>(
    'POST',
    `/checkpoints/${BEFORE_ADVANCE}`,
  );
  const to = await advance();
  lastAdvance.value = { from: Date.parse(createdAt), to: Date.parse(to) };
}

/** Goes back to the state before the last advance. What has happened since is kept as the checkpoint `before-undo`. */
export async function undoAdvance(): Promise<void> {
  await control('POST', `/checkpoints/${BEFORE_UNDO}`);
  await control('POST', `/checkpoints/${BEFORE_ADVANCE}/restore`);
  lastAdvance.value = null;
  await loadAll();
}
