import { useEffect } from 'preact/hooks';
import { withToast } from '../../data/actions.ts';
import { cachedValue } from '../../data/cached-value.ts';
import { control } from '../../data/http.ts';
import { loadAll } from '../../data/store.ts';
import { linkTo } from '../../route.ts';
import { openForm } from '../../ui/form.tsx';
import { count, dateTime } from '../../ui/format.ts';
import { Button, Empty } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { StateFile } from './state-file.tsx';

/** Saved states of the world, and the state as a file. */
export const checkpointsView: View = {
  name: 'checkpoints',
  title: 'Checkpoints',
  icon: 'bookmark',
  group: 'Sandbox',
  key: 'p',
  Page: Checkpoints,
};

interface Checkpoint {
  readonly name: string;
  /** Sandbox time at which it was saved, ISO 8601. */
  readonly createdAt: string;
  readonly records: number;
}

const checkpoints = cachedValue<readonly Checkpoint[]>(
  path => control('GET', path),
  () => '/checkpoints',
);

function Checkpoints() {
  useEffect(() => void checkpoints.load(), []);
  const all = checkpoints.data.value;
  return (
    <div class="page">
      <header class="view-head">
        <h1>
          Checkpoints <span class="tally">{all?.length}</span>
        </h1>
        <Button icon="plus" tone="primary" onClick={openSaveForm}>
          Save checkpoint
        </Button>
      </header>
      <p class="lead">
        A checkpoint has the whole world: records, clock, timers, keys and faults. It is kept until the
        sandbox stops; a reset keeps it as well. <a href={linkTo('history')}>The history</a> goes back to
        before any request.
      </p>
      {all?.length === 0 && (
        <Empty icon="bookmark" title="No checkpoints yet">
          <p>Save one before you try something, and go back to it as often as you like.</p>
        </Empty>
      )}
      {all !== null && all.length > 0 && (
        <ul class="checkpoints">
          {all.map(each => (
            <CheckpointItem key={each.name} checkpoint={each} />
          ))}
        </ul>
      )}
      {all !== null && <StateFile />}
    </div>
  );
}

function CheckpointItem({ checkpoint: { name, createdAt, records } }: { readonly checkpoint: Checkpoint }) {
  return (
    <li>
      <span class="two-lines">
        <span class="main">{name}</span>
        <span class="sub">
          {dateTime(createdAt)} · {count(records, 'row')}
        </span>
      </span>
      <button
        type="button"
        class="button small"
        aria-label={`Restore ${name}`}
        onClick={() => openRestoreForm(name)}
      >
        Restore
      </button>
      <button
        type="button"
        class="button small"
        aria-label={`Delete ${name}`}
        onClick={() => void withToast(`Deleted ${name}`, () => changeCheckpoint('DELETE', name))}
      >
        Delete
      </button>
    </li>
  );
}

async function changeCheckpoint(method: string, name: string, action = ''): Promise<void> {
  await control(method, `/checkpoints/${encodeURIComponent(name)}${action}`);
  await checkpoints.load();
}

function openSaveForm(): void {
  openForm({
    title: 'Save a checkpoint',
    submit: 'Save',
    fields: () => [
      {
        name: 'name',
        label: 'Name',
        isOptional: true,
        hint: 'Default: a new name. A checkpoint of the same name is replaced.',
      },
    ],
    run: async ({ name }) => {
      await control('POST', '/checkpoints', { name: name || undefined });
      await checkpoints.load();
    },
  });
}

function openRestoreForm(name: string): void {
  openForm({
    title: `Restore ${name}`,
    intro: 'Replaces the world of now, with its clock and its timers. The checkpoint stays.',
    submit: 'Restore',
    isDangerous: true,
    run: async () => {
      await changeCheckpoint('POST', name, '/restore');
      await withToast(`Restored ${name}`, loadAll);
    },
  });
}
