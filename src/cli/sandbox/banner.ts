import { createHeaderTranslator } from '../../core/values/names.ts';
import { OPTIONS, type ResolvedOptions } from '../../sandbox/options.ts';
import { API_PREFIX, CONTROL_PREFIX, type PartnerKey, VERSION } from '../../sandbox/sandbox.ts';
import { formatNote } from '../log.ts';
import { colour, lineWidth, printable } from '../output/print.ts';
import { layOut, type Row } from '../output/show.ts';

export interface Listening {
  /** The address under which clients reach the sandbox: `--public-url`, or the one it listens on. */
  readonly url: string;
  readonly origin: string;
  readonly host: string;
  readonly partners: readonly PartnerKey[];
  readonly webhookSecrets: Readonly<Record<string, string>>;
  readonly options: ResolvedOptions;
  /** The state file that was loaded; null when the world comes from fixtures. */
  readonly loadedState: { readonly file: string; readonly savedAt: Date } | null;
  readonly stateFile: string | null;
  /** The clock and the seed of a saved world; null when the options decide them. */
  readonly saved: { readonly now: string; readonly mode: 'running' | 'frozen'; readonly seed: number } | null;
  /** The control token when it is required and was generated for this run; otherwise null. */
  readonly controlToken: string | null;
  /** What people should know before they use it: nothing on loopback. */
  readonly warnings: readonly string[];
}

/** The warning of a sandbox that others can reach through a proxy, and that needs no token. */
export const NO_TOKEN =
  'The control plane needs no token, and --public-url says that others reach it: everyone who does controls this sandbox. Pass --control-token.';

/** The warning of a sandbox that others can reach, and whose keys they know. */
export const PUBLIC_KEYS =
  'The API keys of the built-in fixtures are public, and others can reach this sandbox: everyone who does can use them. Rotate the keys, or start with fixtures that have keys of their own.';

/** The number of partners in the banner; the control plane lists the rest. */
const MAX_PARTNERS = 5;

/** Formats the first lines of a start for people: addresses, keys and a first call to paste. */
export function banner(listening: Listening): string {
  const { url, partners, options, warnings } = listening;
  const key = partners[0]?.apiKey ?? '';
  const header = createHeaderTranslator(options.names)('x-service-api-key');
  // A documented operation, so that it also works with --documented-only. The double quotes protect the brackets of an
  // IPv6 address from the shell.
  const call = [`  curl -s "${url}${API_PREFIX}/partner/cards"`, `-H "${header}: ${key}"`];
  const isWide = call.join(' ').length > lineWidth();
  return [
    `${colour.bold('card-sandbox')} ${VERSION}`,
    '',
    ...layOut(rowsOf(listening)),
    '',
    ...warnings.flatMap(warning => [...formatNote(`Warning: ${warning}`, '', colour.yellow), '']),
    colour.dim('  A first call:'),
    '',
    call.join(isWide ? ' \\\n    ' : ' '),
    '',
    colour.dim('  Ctrl-C stops the sandbox. Request log:'),
    '',
  ].join('\n');
}

export function listeningLine(listening: Listening): string {
  const { url, origin, partners, webhookSecrets, controlToken, warnings, loadedState } = listening;
  const hasSecrets = Object.keys(webhookSecrets).length > 0;
  const line = {
    type: 'listening',
    url,
    baseUrl: url + API_PREFIX,
    dashboardUrl: `${url}/dashboard`,
    ...(url === origin ? {} : { listensOn: origin }),
    partners,
    ...(hasSecrets ? { webhookSecrets } : {}),
    ...(loadedState === null ? {} : { loadedState }),
    ...(controlToken === null ? {} : { controlToken }),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  return printable(JSON.stringify(line));
}

function rowsOf(listening: Listening): Row[] {
  const { url, origin, host, partners, options, webhookSecrets, controlToken } = listening;
  const rows: Row[] = [
    ['API', url + API_PREFIX, colour.cyan],
    ['Control plane', url + CONTROL_PREFIX, colour.cyan],
    ['Dashboard', `${url}/dashboard`, colour.cyan],
  ];
  if (host === '0.0.0.0' || host === '::')
    rows.push(['Listens on', `${host}, all addresses of this machine`]);
  else if (url !== origin) rows.push(['Listens on', origin]);
  if (controlToken !== null) {
    rows.push(['Control token', controlToken, colour.green]);
    rows.push(['Header', 'Authorization: Bearer <token>']);
  }
  if (options.config !== undefined) rows.push(['Configuration', options.config]);
  rows.push(...originRows(listening), ['Clock', clockOf(listening)]);
  if (options.forwardTo !== undefined) rows.push(['Webhooks go to', options.forwardTo, colour.cyan]);
  for (const { id, name, apiKey } of partners.slice(0, MAX_PARTNERS)) {
    rows.push([`Key of ${name}`, apiKey, colour.green]);
    const secret = webhookSecrets[id];
    if (secret !== undefined) rows.push(['… webhook secret', secret, colour.green]);
  }
  const more = partners.length - MAX_PARTNERS;
  if (more > 0) rows.push([`${more} more keys`, `${url}${CONTROL_PREFIX}/info`, colour.cyan]);
  return rows;
}

function originRows({ options, loadedState, stateFile, saved }: Listening): Row[] {
  const unused = [
    ...(options.clock === undefined ? [] : ['--clock']),
    ...(options.rateLimit === OPTIONS.rateLimit.initial ? [] : ['--rate-limit']),
  ];
  if (loadedState !== null) {
    const { file, savedAt } = loadedState;
    return [
      ['State', `${file}, saved at ${savedAt.toISOString()}`],
      notUsed(['--fixtures', '--seed', ...unused], 'the state file was loaded'),
    ];
  }
  const rows: Row[] = [
    ['Fixtures', options.fixtures.join(' + ')],
    ['Seed', String(saved?.seed ?? options.seed)],
  ];
  if (saved !== null && unused.length > 0) rows.push(notUsed(unused, 'the fixture is a saved state'));
  if (stateFile !== null) rows.push(['State', `${stateFile}, a new file`]);
  return rows;
}

function notUsed(flags: readonly string[], why: string): Row {
  const [last = '', ...others] = [...flags].reverse();
  const list = others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
  return ['Not used', `${list}, because ${why}`];
}

function clockOf({ options: { clock, freeze }, saved }: Listening): string {
  const from = saved === null ? clock : saved.now;
  const isFrozen = saved === null ? freeze : saved.mode === 'frozen';
  if (!isFrozen) return from === undefined ? 'runs in wall time' : `runs from ${from}`;
  return `frozen${from === undefined ? '' : ` at ${from}`}, moves only when advanced`;
}
