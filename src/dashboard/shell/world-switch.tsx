import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { serverControl } from '../data/http.ts';
import { world } from '../data/world.ts';
import { Options } from '../ui/form.tsx';

/** The ids of all worlds of the server, or null until they are loaded. */
const worlds = signal<readonly string[] | null>(null);

/** Reads which worlds the server has. If this world is not among them, the page says so. */
export async function loadWorlds(): Promise<void> {
  const all = await serverControl<readonly { readonly id: string }[]>('GET', '/worlds').catch(() => null);
  worlds.value = all?.map(({ id }) => id) ?? worlds.value;
}

function openWorld(id: string): void {
  location.assign(`/dashboard/${encodeURIComponent(id)}${location.search}${location.hash}`);
}

export function WorldSwitch() {
  useEffect(() => {
    // Tests and other programs create and end worlds, which the stream of this world does not report.
    addEventListener('focus', loadWorlds);
    return () => removeEventListener('focus', loadWorlds);
  }, []);
  const ids = [...new Set([...(worlds.value ?? []), world])];
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

export function isWorldMissing(): boolean {
  return worlds.value !== null && !worlds.value.includes(world);
}
