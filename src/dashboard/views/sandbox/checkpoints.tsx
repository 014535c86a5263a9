import { withToast } from '../../data/actions.ts';
import { cachedValue } from '../../data/cached-value.ts';
import { control, read } from '../../data/http.ts';
import type { Checkpoint } from '../../data/response-types.ts';
import { loadAll } from '../../data/store.ts';
import { Button } from '../../ui/button.tsx';
import { openForm } from '../../ui/form.tsx';
import { count, dateTime } from '../../ui/format.ts';
import { TwoLines } from '../../ui/list.tsx';

export const checkpoints = cachedValue(() => read<readonly Checkpoint[]>('/checkpoints'));

export function CheckpointList({ all }: { readonly all: readonly Checkpoint[] }) {
  if (all.length === 0) return <p class="nothing">None yet. Save one before you try something.</p>;
  return (
    <ul class="checkpoints">
      {all.map(({ name, createdAt, records }) => (
        <li key={name}>
          <TwoLines main={name} sub={`${dateTime(createdAt)} · ${count(records, 'row')}`} />
          <Button kind="small" aria-label={`Restore ${name}`} onClick={() => openRestoreForm(name)}>
            Restore
          </Button>
          <Button kind="small" aria-label={`Delete ${name}`} onClick={() => openDeleteForm(name)}>
            Delete
          </Button>
        </li>
      ))}
    </ul>
  );
}

async function changeCheckpoint(method: string, name: string, action = ''): Promise<void> {
  await control(method, `/checkpoints/${encodeURIComponent(name)}${action}`);
  await checkpoints.load();
}

export function openSaveForm(): void {
  openForm({
    title: 'Save a checkpoint',
    submit: 'Save',
    fields: () => [
      {
        name: 'name',
        label: 'Name',
        initial: generateName(),
        hint: 'A checkpoint of the same name is replaced.',
      },
    ],
    run: ({ name }) => changeCheckpoint('POST', String(name)),
  });
}

function generateName(): string {
  const names = (checkpoints.data.value ?? []).map(({ name }) => name);
  let number = 1;
  while (names.includes(`checkpoint-${number}`)) number += 1;
  return `checkpoint-${number}`;
}

function openRestoreForm(name: string): void {
  openForm({
    title: `Restore ${name}`,
    intro: 'Replaces the current state, with its clock and its timers. The checkpoint stays.',
    submit: 'Restore',
    isDangerous: true,
    run: async () => {
      await changeCheckpoint('POST', name, '/restore');
      await withToast(`Restored ${name}`, loadAll);
    },
  });
}

function openDeleteForm(name: string): void {
  openForm({
    title: `Delete ${name}`,
    intro: 'The state that it holds is gone. The world stays as it is.',
    submit: 'Delete',
    isDangerous: true,
    run: () => withToast(`Deleted ${name}`, () => changeCheckpoint('DELETE', name)),
  });
}
