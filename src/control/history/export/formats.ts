import type { World } from '../../../core/world/world.ts';
import type { FORMATS } from '../format-names.ts';
import type { HistoryEntry } from '../history.ts';
import { toHar } from './har.ts';
import { toScenario } from './scenario.ts';
import { toShell } from './shell.ts';

/** An export: its media type and its text. */
interface Exported {
  readonly type: string;
  readonly body: string;
}

/** Writes entries in each format. */
export const exportFormats: Readonly<
  Record<(typeof FORMATS)[number], (entries: readonly HistoryEntry[], world: World) => Promise<Exported>>
> = {
  scenario: async (entries, world) => ({ type: 'application/yaml', body: await toScenario(entries, world) }),
  har: async (entries, world) => ({ type: 'application/json', body: await toHar(entries, world) }),
  curl: async (entries, world) => ({ type: 'text/x-shellscript', body: await toShell(entries, world) }),
};
