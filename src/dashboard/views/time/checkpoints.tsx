import { useEffect, useRef } from 'preact/hooks';
import { download } from '../../browser.ts';
import { withToast } from '../../data/actions.ts';
import { cachedValue } from '../../data/cached-value.ts';
import { control, openStream, read } from '../../data/http.ts';
import { loadAll } from '../../data/store.ts';
import { linkTo } from '../../route.ts';
import { openForm } from '../../ui/form.tsx';
import { count, dateTime } from '../../ui/format.ts';
import { TwoLines } from '../../ui/list.tsx';
import { Button, Empty, Page, Section } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';

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

const checkpoints = cachedValue<readonly Checkpoint[]>(read, () => '/checkpoints');

function Checkpoints() {
  useEffect(() => void checkpoints.load(), []);
  const all = checkpoints.data.value;
  return (
    <Page
      title="Checkpoints"
      tally={all?.length}
      actions={
        <Button icon="plus" tone="primary" onClick={openSaveForm}>
          Save checkpoint
        </Button>
      }
      lead={
        <>
          A checkpoint has the whole world: records, clock, timers, keys and faults. It is kept until the
          sandbox stops; a reset keeps it as well. <a href={linkTo('history')}>The history</a> goes back to
          before any request.
        </>
      }
    >
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
    </Page>
  );
}

function CheckpointItem({ checkpoint: { name, createdAt, records } }: { readonly checkpoint: Checkpoint }) {
  return (
    <li>
      <TwoLines main={name} sub={`${dateTime(createdAt)} · ${count(records, 'row')}`} />
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

function StateFile() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Section
      title="State file"
      note="The world as a document, with keys and card numbers. Another sandbox loads it here, or when it starts with --state."
    >
      <div class="actions">
        <Button onClick={() => void withToast('Saved state.json', downloadState)}>Download state</Button>
        <Button onClick={() => input.current?.click()}>Upload state…</Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="State file"
          accept="application/json,.json"
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? [];
            if (chosen !== undefined) openUploadForm(chosen);
            currentTarget.value = '';
          }}
        />
      </div>
    </Section>
  );
}

async function downloadState(): Promise<void> {
  download(await new Response(await openStream('/state')).blob(), 'state.json');
}

function openUploadForm(file: File): void {
  openForm({
    title: `Load ${file.name}`,
    intro: 'Replaces the world of now. A document with a mistake is refused as a whole and changes nothing.',
    submit: 'Load',
    isDangerous: true,
    run: async () => {
      await control('PUT', '/state', file);
      await withToast(`Loaded ${file.name}`, loadAll);
    },
  });
}
