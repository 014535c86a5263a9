import type { ResolvedOptions } from '../../sandbox/options.ts';
import {
  API_PREFIX,
  CONTROL_PREFIX,
  createNameTranslator,
  type PartnerKey,
  VERSION,
} from '../../sandbox/sandbox.ts';
import { colour, printable } from './print.ts';
import { layOut, type Row } from './rows.ts';

/** What is worth knowing once a sandbox listens. */
export interface Listening {
  readonly origin: string;
  /** The host as it was asked for. */
  readonly host: string;
  readonly partners: readonly PartnerKey[];
  /** Webhook secrets that were made up for this run, by partner id. */
  readonly webhookSecrets: Readonly<Record<string, string>>;
  readonly options: ResolvedOptions;
  /** A token that was made up for this run and has to be told; null when there is none to tell. */
  readonly controlToken: string | null;
}

const plain = (text: string) => text;

/** So many partners have their keys in the banner; the control plane tells the rest. */
const PARTNERS_SHOWN = 5;

/** The first lines of a start: addresses, keys and a first call that works when pasted. */
export function banner(listening: Listening): string {
  const { origin, partners, options } = listening;
  const key = partners[0]?.apiKey ?? '';
  const neutral = 'x-service-api-key';
  const header = createNameTranslator(options.names)?.text(neutral) ?? neutral;
  // An operation that the interface documents, so that it answers under --documented-only too. The double
  // quotes keep the brackets of an IPv6 address from every shell.
  const call = `curl -s "${origin}${API_PREFIX}/partner/cards" -H "${header}: ${key}"`;
  return [
    `${colour.bold('card-sandbox')} ${VERSION}`,
    '',
    ...layOut(rowsOf(listening)),
    '',
    colour.dim('  A first call:'),
    '',
    `  ${call}`,
    '',
    colour.dim('  Ctrl-C stops it. Requests follow:'),
    '',
  ].join('\n');
}

/** The same for programs: one line of JSON. */
export function listeningLine({ origin, partners, webhookSecrets, controlToken }: Listening): string {
  const hasSecrets = Object.keys(webhookSecrets).length > 0;
  const line = {
    type: 'listening',
    url: origin,
    baseUrl: origin + API_PREFIX,
    dashboardUrl: `${origin}/dashboard`,
    partners,
    ...(hasSecrets ? { webhookSecrets } : {}),
    ...(controlToken === null ? {} : { controlToken }),
  };
  return printable(JSON.stringify(line));
}

function rowsOf({ origin, host, partners, options, webhookSecrets, controlToken }: Listening): Row[] {
  const { fixtures, seed } = options;
  const rows: Row[] = [
    ['API', origin + API_PREFIX, colour.cyan],
    ['Control plane', origin + CONTROL_PREFIX, colour.cyan],
    ['Dashboard', `${origin}/dashboard`, colour.cyan],
  ];
  if (host === '0.0.0.0' || host === '::')
    rows.push(['Listens on', `${host}, every address of this machine`, plain]);
  if (controlToken !== null) {
    rows.push(['Control token', controlToken, colour.green]);
    rows.push(['Send it as', 'Authorization: Bearer <token>', plain]);
  }
  rows.push(
    ['Fixtures', fixtures.join(' + '), plain],
    ['Seed', String(seed), plain],
    ['Clock', clockOf(options), plain],
  );
  if (options.forwardTo !== undefined) rows.push(['Webhooks go to', options.forwardTo, colour.cyan]);
  for (const { id, name, apiKey } of partners.slice(0, PARTNERS_SHOWN)) {
    rows.push([`Key of ${name}`, apiKey, colour.green]);
    const secret = webhookSecrets[id];
    if (secret !== undefined) rows.push(['… signs webhooks with', secret, colour.green]);
  }
  const more = partners.length - PARTNERS_SHOWN;
  if (more > 0) rows.push([`${more} more keys`, `${origin}${CONTROL_PREFIX}/info`, colour.cyan]);
  return rows;
}

function clockOf({ clock, freeze }: ResolvedOptions): string {
  if (!freeze) return clock === undefined ? 'runs with wall time' : `runs from ${clock}`;
  return `frozen${clock === undefined ? '' : ` at ${clock}`}, moves by advances`;
}
