import { useEffect } from 'preact/hooks';
import { serverControl } from '../data/http.ts';
import { isMain, type ListedWorld, openWorld, world, worlds } from '../data/world.ts';
import { Options, openForm } from '../ui/form.tsx';

/** Entries of the list that are actions. No world can have such an id. */
const NEW = ' new';
const END = ' end';

async function loadWorlds(): Promise<void> {
  worlds.value = await serverControl<readonly ListedWorld[]>('GET', '/worlds').catch(() => worlds.value);
}

export function WorldSwitch() {
  useEffect(() => {
    void loadWorlds();
    // Tests and other pages create and end worlds, which the stream of this world does not report.
    addEventListener('focus', loadWorlds);
    return () => removeEventListener('focus', loadWorlds);
  }, []);
  const ids = [...new Set([...(worlds.value ?? []).map(({ id }) => id), world])];
  return (
    <label class="world">
      <span>World</span>
      <select
        value={world}
        onFocus={loadWorlds}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          currentTarget.value = world;
          if (value === NEW) openNewWorldForm();
          else if (value === END) openEndForm();
          else openWorld(value);
        }}
      >
        <Options of={ids.map(id => [id, id])} />
        <option disabled>──────</option>
        <option value={NEW}>New world…</option>
        {!isMain && <option value={END}>End this world…</option>}
      </select>
    </label>
  );
}

export function MissingWorld() {
  return (
    <div class="empty">
      <h1>There is no world called {world}</h1>
      <p>
        It may have ended: idle worlds expire. Go to <a href="/dashboard/main">main</a>.
      </p>
    </div>
  );
}

/** Whether the world of the page is known not to exist. */
export function isWorldMissing(): boolean {
  return worlds.value !== null && !worlds.value.some(({ id }) => id === world);
}

function openNewWorldForm(): void {
  openForm({
    title: 'New world',
    intro: 'A world has a clock, records and API keys of its own. Nothing in it disturbs other worlds.',
    submit: 'Create',
    fields: () => [
      { name: 'id', label: 'Name', hint: 'Letters, digits, _ and -. Generated if empty.', isOptional: true },
      {
        name: 'start',
        label: 'Starts as',
        kind: 'choice',
        choices: [
          ['seeded', 'the seeded state'],
          ['copy', `a copy of ${world}`],
        ],
      },
    ],
    async run({ id, start }) {
      const created = await serverControl<ListedWorld>('POST', '/worlds', {
        id: id || undefined,
        from: start === 'copy' ? world : undefined,
      });
      openWorld(created.id);
    },
  });
}

function openEndForm(): void {
  openForm({
    title: `End the world ${world}`,
    intro: 'Its records, keys, timers and webhooks in flight are gone. Other worlds go on.',
    submit: 'End it',
    isDangerous: true,
    async run() {
      await serverControl('DELETE', `/worlds/${encodeURIComponent(world)}`);
      openWorld('main');
    },
  });
}
