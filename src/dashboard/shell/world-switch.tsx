import { useEffect } from 'preact/hooks';
import { serverControl } from '../data/http.ts';
import { type ListedWorld, openWorld, world, worlds } from '../data/world.ts';
import { Options } from '../ui/form.tsx';

async function loadWorlds(): Promise<void> {
  worlds.value = await serverControl<readonly ListedWorld[]>('GET', '/worlds').catch(() => worlds.value);
}

export function WorldSwitch() {
  useEffect(() => {
    void loadWorlds();
    // Tests and other programs create and end worlds, which the stream of this world does not report.
    addEventListener('focus', loadWorlds);
    return () => removeEventListener('focus', loadWorlds);
  }, []);
  const ids = [...new Set([...(worlds.value ?? []).map(({ id }) => id), world])];
  return (
    <label class="world">
      <span>World</span>
      <select value={world} onFocus={loadWorlds} onChange={event => openWorld(event.currentTarget.value)}>
        <Options of={ids.map(id => [id, id])} />
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
