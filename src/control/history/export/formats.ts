import type { Host } from '../../../core/operation/host.ts';
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
  Record<(typeof FORMATS)[number], (entries: readonly HistoryEntry[], host: Host) => Promise<Exported>>
> = {
  scenario: async (entries, host) => ({ type: 'application/yaml', body: await toScenario(entries, host) }),
  har: async (entries, host) => ({ type: 'application/json', body: await toHar(entries, host) }),
  curl: async (entries, host) => ({ type: 'text/x-shellscript', body: await toShell(entries, host) }),
};
